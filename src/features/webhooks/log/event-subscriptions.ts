import { STREAM_BATCH } from '../../../platform/changes/change-log.js';
import { courseOfAccount, followChanges } from '../../../platform/changes/follow-changes.js';
import { type RequestContext } from '../../../platform/context.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { LoggedEvent } from './event.entity.js';
import { type FollowedEvents } from './event.inputs.js';
import { type EventFeed, eventLog } from './event-log.js';
import { type EventNumbering } from './event-numbering.js';
import { type EventService } from './event.service.js';

const OF_TYPES = `SELECT ${columnsOf(LoggedEvent, 'c')} FROM events c
  WHERE c.account_id = $1 AND c.position > $2 AND c.type = ANY ($3) ORDER BY c.position LIMIT ${STREAM_BATCH}`;

/** Streams of events. */
export class EventSubscriptions {
  constructor(
    private readonly db: Database,
    private readonly feed: EventFeed,
    private readonly numbering: EventNumbering,
    private readonly service: EventService,
  ) {}

  /**
   * Every event from now on, or every event behind `after`. @throws AppError `gone`; `unavailable` if it can't begin now.
   */
  async follow(context: RequestContext, { after, types }: FollowedEvents): Promise<AsyncIterableIterator<LoggedEvent>> {
    const { accountId } = context;
    // Events from before the call are no news, and one that a webhook has just received may be `after`.
    await this.numbering.catchUp();
    return followChanges(this.feed, context, async (position) => {
      const cursor = after == null ? position : await this.service.positionOf(context, after);
      const course = courseOfAccount(eventLog, this.db, accountId, cursor);
      if (types == null) return course;
      const on = after == null ? this.db : this.db.expensive;
      return {
        ...course,
        matches: ({ type }) => types.includes(type),
        // Past events may be many, of which few have these types.
        read: (place) => on.select(LoggedEvent, OF_TYPES, [accountId, place, types]),
      };
    });
  }
}
