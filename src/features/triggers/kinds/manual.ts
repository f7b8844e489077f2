import { defineTriggerKind } from '../define-trigger-kind.js';

/** Fires when a client calls `runWorkflow`. Its config is not read. */
export const manual = defineTriggerKind({
  type: 'manual',
  description: 'Fires when a client asks for a run. Its config may hold anything, and nothing of it is read.',
  keys: {},
  hasHook: false,
  validate: () => ({}),
});
