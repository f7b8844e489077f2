import { defineTriggerKind } from '../define-trigger-kind.js';

/** Fires when a client calls `runWorkflow`. Its config is not read. */
export const manual = defineTriggerKind({
  type: 'manual',
  description: 'Fires when a client requests a run. Its config may contain anything; the service does not read it.',
  keys: {},
  hasHook: false,
  validate: () => ({}),
});
