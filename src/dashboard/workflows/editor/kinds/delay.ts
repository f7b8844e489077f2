import { type KindDefinition } from './define-kind.js';
import { DelayFields } from './delay-fields.js';
import { durationInText, readDuration, writeDuration } from './duration.js';
import { IconHourglass } from '../../../ui/icons/icons.js';

/** Waits for a while. */
export const delay: KindDefinition = {
  kind: 'DELAY',
  label: 'Delay',
  icon: IconHourglass,
  explains: 'Waits for a while, up to a day, before the next action.',
  help: 'delay',
  name: 'delay',
  keys: ['seconds'],
  read: ({ seconds }) => ({ texts: readDuration('seconds', seconds), rows: {} }),
  write: ({ texts }) => ({ config: writeDuration('seconds', texts), faults: {} }),
  summary: ({ texts }) => {
    const duration = durationInText('seconds', texts);
    return duration === '' ? '' : `Wait ${duration}`;
  },
  Fields: DelayFields,
};
