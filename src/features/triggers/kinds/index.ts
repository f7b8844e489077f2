import { type TriggerType } from '../../workflows/trigger-type.js';
import { app_event } from './app_event.js';
import { type TriggerKind } from '../define-trigger-kind.js';
import { manual } from './manual.js';
import { schedule } from './schedule.js';
import { webhook } from './webhook.js';

/** Every kind of trigger, by its type. */
export const triggerKinds = { schedule, webhook, app_event, manual } as const satisfies {
  [T in TriggerType]: TriggerKind & { type: T };
};
