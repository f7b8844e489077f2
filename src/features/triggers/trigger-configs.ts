import { keyList } from '../../platform/json/config-key.js';
import { triggerKinds } from './kinds/index.js';

/** The config of each type of trigger as a Markdown list, for the description of the field. */
export const CONFIG_BY_TYPE = Object.values(triggerKinds)
  .map(({ type, description, keys }) => [`- \`${type.toUpperCase()}\`: ${description}`, keyList(keys, '  ')])
  .map((lines) => lines.filter(Boolean).join('\n'))
  .join('\n');
