import { defineTriggerKind } from '../define-trigger-kind.js';

/** Fires when a client calls `runWorkflow`. Its config is not read. */
export const manual = defineTriggerKind({ type: 'manual', hasHook: false, validate: () => ({}) });
