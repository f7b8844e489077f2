import { type TriggerType } from '../graphql/enums.generated.js';
import { type Icon } from './icons/icon.js';
import { IconClock, IconHandClick, IconPlugConnected, IconWebhook } from './icons/icons.js';

/** The types of triggers, the likeliest first: name, icon, and a line of explanation. */
export const TRIGGER_TYPES: Readonly<Record<TriggerType, { label: string; icon: Icon; explains: string }>> = {
  WEBHOOK: { label: 'Webhook', icon: IconWebhook, explains: 'When another system posts to its URL.' },
  SCHEDULE: { label: 'Schedule', icon: IconClock, explains: 'At set times, by a cron expression.' },
  APP_EVENT: {
    label: 'App event',
    icon: IconPlugConnected,
    explains: 'When something happens in a connected application.',
  },
  MANUAL: { label: 'Manual', icon: IconHandClick, explains: 'When a user fires it, here or by the API.' },
};
