import { type ChangeFeed } from '../../../platform/changes/change-feed.js';
import { ChangeLog } from '../../../platform/changes/change-log.js';
import { AppError } from '../../../platform/errors.js';
import { defineTopic } from '../../../platform/notifications/notifications.js';
import { LoggedEvent } from './event.entity.js';

/** Events of the account were numbered, up to `position`. */
export const eventsNumbered = defineTopic<{ accountId: string; position: number }>(
  'events_numbered',
  ({ accountId, position }) => ({ of: accountId, position }),
);

/** The numbered events of all accounts. Unlike other changes they are numbered after their commit (`EventNumbering`). */
export const eventLog = new ChangeLog({
  entity: LoggedEvent,
  table: 'events',
  counter: { table: 'event_counters', key: 'account_id', column: 'position' },
  topic: eventsNumbered,
});

export type EventFeed = ChangeFeed<LoggedEvent>;

/** The error for an event that the log does not have (any more): a reader that continued would lose events silently. */
export function eventGone(): AppError {
  return new AppError(
    'gone',
    'The log has no such event. Events are kept for 30 days: start again behind `evt_00000000000000000000000000`.',
    {
      details: [{ field: 'after', message: 'is not in the log' }],
    },
  );
}
