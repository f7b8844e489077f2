import { actionKinds } from '../../../src/features/actions/kinds/index.js';
import { OPERATORS } from '../../../src/features/actions/kinds/condition.js';
import { triggerKinds } from '../../../src/features/triggers/kinds/index.js';
import { type ConfigKeys } from '../../../src/platform/json/config-key.js';
import { table } from '../markdown.js';
import { wordTable } from './words.js';

/** A heading, a sentence and a table of keys for each type of trigger. */
export function triggerConfigs(): string {
  return Object.values(triggerKinds)
    .map(({ type, description, keys }) => [`## \`${type}\``, description, keyTable(keys)])
    .map((parts) => parts.filter(Boolean).join('\n\n'))
    .join('\n\n');
}

/** The same for each kind of action, with what a later step reads of it. */
export function actionConfigs(): string {
  return actionKinds
    .map(({ kind, description, keys, output }) =>
      [`## \`${kind}\``, description, keyTable(keys), `Output: ${output}`].join('\n\n'),
    )
    .join('\n\n');
}

/** What each operator of a condition asks. */
export function operators(): string {
  return wordTable('Operator', 'Holds when', OPERATORS);
}

function keyTable(keys: ConfigKeys): string {
  const rows = Object.entries(keys).map(([name, { required, about }]) => [`\`${name}\``, required ? 'yes' : '', about]);
  return rows.length === 0 ? '' : table(['Key', 'Required', 'What'], rows);
}
