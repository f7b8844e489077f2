import { defineTriggerKind } from '../define-trigger-kind.js';

/** Fires when somebody asks for a run. It reads nothing of its config. */
export const manual = defineTriggerKind({ type: 'manual', hasHook: false, validate: () => ({}) });
