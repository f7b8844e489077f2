import { defineTopic } from '../../../platform/notifications/notifications.js';

/** An integration of the account changed: its changes up to `position` are committed. */
export const integrationChanged = defineTopic<{ accountId: string; position: number }>(
  'integration_changed',
  ({ accountId, position }) => ({ of: accountId, position }),
);
