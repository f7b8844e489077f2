import { type KindDefinition } from '../define-kind.js';
import { durationInText, readDuration, writeDuration } from '../duration.js';
import { WaitForCallbackFields } from './wait-for-callback-fields.js';
import { IconPhoneIncoming } from '../../../../ui/icons/icons.js';

/** Waits until another system posts to a URL of the run. */
export const waitForCallback: KindDefinition = {
  kind: 'WAIT_FOR_CALLBACK',
  label: 'Wait for callback',
  icon: IconPhoneIncoming,
  explains: 'Waits until another system posts to a URL of this run, e.g. a payment provider.',
  help: 'waitForCallback',
  name: 'callback',
  keys: ['timeout_seconds'],
  read: ({ timeout_seconds: seconds }) => ({ texts: readDuration('timeout_seconds', seconds ?? 86_400), rows: {} }),
  write: ({ texts }) => ({ config: writeDuration('timeout_seconds', texts), faults: {} }),
  waitPart: () => 'url',
  summary: ({ texts }) => {
    const duration = durationInText('timeout_seconds', texts);
    return duration === '' ? '' : `Wait at most ${duration}`;
  },
  Fields: WaitForCallbackFields,
};
