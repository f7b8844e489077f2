import { type KindDefinition, textOf, type Written } from '../define-kind.js';
import { readDuration, writeDuration } from '../duration.js';
import { WaitForConnectionFields } from './wait-for-connection-fields.js';
import { IconPlug } from '../../../../ui/icons/icons.js';

/** Waits until an end user has connected an application. */
export const waitForConnection: KindDefinition = {
  kind: 'WAIT_FOR_CONNECTION',
  label: 'Wait for connection',
  icon: IconPlug,
  explains: 'Waits until an end user has connected an application; continues at once if it is connected.',
  help: 'waitForConnection',
  name: 'connection',
  keys: ['type', 'reference', 'timeout_seconds'],
  read: ({ type, reference, timeout_seconds: seconds }) => ({
    texts: {
      type: textOf(type),
      reference: textOf(reference),
      ...readDuration('timeout_seconds', seconds ?? 86_400),
    },
    rows: {},
  }),
  write: ({ texts }): Written => {
    const { type = '', reference = '' } = texts;
    return {
      config: { type, reference: reference.trim(), ...writeDuration('timeout_seconds', texts) },
      faults: type === '' ? { 'config.type': 'must be chosen' } : {},
    };
  },
  waitPart: () => 'connect_url',
  summary: ({ texts: { type = '', reference = '' } }) => (type === '' ? '' : `${type} of ${reference || '…'}`),
  Fields: WaitForConnectionFields,
};
