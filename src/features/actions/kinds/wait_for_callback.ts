import { defineAction } from '../define-action.js';
import { secondsOf, timeoutKey } from '../wait-timeout.js';

/** `{ timeout_seconds? }`: the run continues with what is posted to the URL of its wait. */
export const waitForCallback = defineAction({
  kind: 'wait_for_callback',
  description:
    'Waits until another system posts to a URL of this run. Any action can pass the URL on as `{{ waits.<name>.url }}`, earlier ones too: a post that arrives before the run waits is kept.',
  keys: { timeout_seconds: timeoutKey },
  output: '`{ "body" }`: the posted JSON, null for an empty post.',
  waits: () => 'callback',
  execute: (config) => ({ kind: 'await', what: { kind: 'callback', seconds: secondsOf(config) } }),
});
