import { connectionOf, referenceKey, typeKey } from '../connection-of-user.js';
import { defineAction } from '../define-action.js';
import { secondsOf, timeoutKey } from '../wait-timeout.js';

/** `{ type, reference, timeout_seconds? }`: the run continues once the end user has connected the application. */
export const waitForConnection = defineAction({
  kind: 'wait_for_connection',
  description:
    'Waits until the account has a connection of a type for an end user. If it has one already, the run continues at once. Any action can pass on the page on which the user connects, as `{{ waits.<name>.connect_url }}`.',
  keys: { type: typeKey, reference: referenceKey, timeout_seconds: timeoutKey },
  output: '`{ "integration_id" }`.',
  waits: () => 'connection',
  execute: (config, { applications }) => {
    const connection = connectionOf(config, applications.offersType);
    if ('code' in connection) return { kind: 'failed', error: connection };
    return { kind: 'await', what: { kind: 'connection', seconds: secondsOf(config), ...connection, repeats: false } };
  },
});
