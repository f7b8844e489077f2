import { registerEnumType } from 'type-graphql';

/** The types of triggers. Each has its definition in `triggers/kinds/`. */
export const TriggerType = {
  SCHEDULE: 'schedule',
  WEBHOOK: 'webhook',
  APP_EVENT: 'app_event',
  MANUAL: 'manual',
} as const;
export type TriggerType = (typeof TriggerType)[keyof typeof TriggerType];

registerEnumType(TriggerType, {
  name: 'TriggerType',
  description: 'What fires a trigger.',
  valuesConfig: {
    SCHEDULE: { description: 'A cron expression.' },
    WEBHOOK: { description: 'A POST to its `webhookUrl`.' },
    APP_EVENT: { description: 'An event in a connected integration.' },
    MANUAL: { description: 'A call of `runWorkflow`.' },
  },
});

/** The states of a trigger. A client sets `active` and `paused`, the service `error`. */
export const TriggerStatus = { ACTIVE: 'active', PAUSED: 'paused', ERROR: 'error' } as const;
export type TriggerStatus = (typeof TriggerStatus)[keyof typeof TriggerStatus];

/** The states that a client may set. */
export const SETTABLE: readonly TriggerStatus[] = ['active', 'paused'];

registerEnumType(TriggerStatus, {
  name: 'TriggerStatus',
  description: 'Whether a trigger fires.',
  valuesConfig: {
    ACTIVE: { description: 'It fires.' },
    PAUSED: { description: 'It does not fire for now.' },
    ERROR: {
      description:
        'It cannot fire: its integration, or every integration that offers its event, is not connected. Set by the service.',
    },
  },
});
