import { type RequestContext } from '../../../platform/context.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { fromPublicId, MIN_UUID } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { type Clock } from '../../../platform/clock.js';
import { longPoll, type LongPolls } from '../../../platform/long-poll.js';
import { payloadBody } from '../../../platform/payloads.js';
import { type DeriveUrls, type EventText, eventText, wholeBody } from '../event-urls.js';
import { KEPT_DAYS } from '../record-events.js';
import { LoggedEvent } from './event.entity.js';
import { type ListedEvents, type RecentEvents } from './event.inputs.js';
import { eventGone, type EventFeed, eventLog } from './event-log.js';
import { type EventNumbering } from './event-numbering.js';

/** Bytes of data in one list; its first event may exceed them. */
const LISTED_BYTES = 4 * 2 ** 20;
const KEPT_MS = KEPT_DAYS * 86_400_000;

class SizedEvent extends LoggedEvent {
  bytes: number;
}

const PAYLOAD = payloadBody('c.payload_id');
/** The bytes of a body, which PostgreSQL knows without reading it. */
const BYTES = `octet_length(c.body) + coalesce(octet_length(c.tail), 0) + coalesce(octet_length(${PAYLOAD}), 0)`;

/** $2: a position, which is not part of the list. */
const listOf = (isAfter: string, order: 'ASC' | 'DESC'): string => `
  SELECT ${columnsOf(LoggedEvent, 'c')}, ${BYTES} AS bytes FROM events c
  WHERE c.account_id = $1 AND c.position ${isAfter} $2 AND c.id >= $3 AND ($4::text[] IS NULL OR c.type = ANY ($4))
  ORDER BY c.position ${order} LIMIT $5`;
const OLDEST_FIRST = listOf('>', 'ASC');
const NEWEST_FIRST = listOf('<', 'DESC');
const BEHIND_ALL = Number.MAX_SAFE_INTEGER;

/** The texts of events. $3 and $4: their first and last id, which say in which partitions they are. */
const TEXTS = `
  SELECT c.id AS uuid, ${eventText('c', PAYLOAD)} FROM events c
  WHERE c.account_id = $1 AND c.id = ANY ($2) AND c.id >= $3 AND c.id <= $4`;

/** What comes before `data` in a body: members whose values contain no such text. PostgreSQL adds spaces to its JSON. */
const BEFORE_DATA = /^.*?"data" ?: ?/;

/** Reads the log of an account. */
export class EventService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly numbering: EventNumbering,
    private readonly feed: EventFeed,
    private readonly polls: LongPolls,
    private readonly urls: DeriveUrls,
  ) {}

  /**
   * Oldest first, behind `after`. Each event that was committed before the request is in the log, unless the database takes
   * long to number it. With `wait` an empty list is held until there is an event, at most that many seconds.
   * @throws AppError `gone` if the log does not have `after`; `rate_limited` when the key has too many waiting requests.
   */
  async list(context: RequestContext, { after, types, limit, wait }: ListedEvents): Promise<LoggedEvent[]> {
    await this.numbering.catchUp();
    const cursor = after == null ? 0 : await this.positionOf(context, after);
    const read = () => this.read(OLDEST_FIRST, context, cursor, types ?? null, limit);
    const found = await read();
    if (!wait || found.length > 0) return found;
    return this.polls.run(context.caller, (ended) =>
      longPoll({
        listen: async (raise) =>
          (await this.feed.listen(context.accountId, ({ type }) => (types?.includes(type) ?? true) && raise())).detach,
        read,
        isThere: (events) => events.length > 0,
        milliseconds: wait * 1_000,
        signals: [context.signal, ended],
      }),
    );
  }

  /** Newest first, before `before`. @throws AppError `gone` if the log does not have `before`. */
  async recent(context: RequestContext, { before, types, limit }: RecentEvents): Promise<LoggedEvent[]> {
    await this.numbering.catchUp();
    const cursor = before == null ? BEHIND_ALL : await this.positionOf(context, before);
    return this.read(NEWEST_FIRST, context, cursor, types ?? null, limit);
  }

  /**
   * The position of an event, or of the lowest id, which stands before all of them.
   * @throws AppError `gone` if the log of the account does not have the event.
   */
  async positionOf({ accountId }: RequestContext, id: string): Promise<number> {
    const uuid = fromPublicId('evt', id);
    if (uuid === MIN_UUID) return 0;
    const [row] =
      uuid === undefined
        ? []
        : await this.db.query<{ position: number }>(eventLog.sql.positionOf, [uuid, accountId, null]);
    return row?.position ?? Promise.reject(eventGone());
  }

  /**
   * The `data` of events, as JSON texts in the order of `uuids`; null for each that was deleted. `withUrls`: whether it
   * includes the URLs of waits, which are enough to answer them.
   */
  async dataOf({ accountId }: RequestContext, uuids: readonly string[], withUrls: boolean): Promise<(string | null)[]> {
    const sorted = uuids.toSorted();
    const rows = await this.db.query<EventText & { uuid: string }>(TEXTS, [accountId, uuids, sorted[0], sorted.at(-1)]);
    const found = new Map(rows.map(({ uuid, ...text }) => [uuid, wholeBody(text, this.urls, withUrls)]));
    return uuids.map((uuid) => dataIn(found.get(uuid) ?? null));
  }

  private async read(
    list: string,
    { accountId }: RequestContext,
    cursor: number,
    types: readonly string[] | null,
    limit: number,
  ): Promise<LoggedEvent[]> {
    const now = this.clock.now().getTime();
    const oldest = now > KEPT_MS ? lowestUuidAt(now - KEPT_MS) : MIN_UUID;
    // With a filter it may read many events that do not match.
    const on = types === null ? this.db : this.db.expensive;
    const events = await on.select(SizedEvent, list, [accountId, cursor, oldest, types, limit]);
    let bytes = 0;
    const fitting = events.findIndex((event, index) => (bytes += event.bytes) > LISTED_BYTES && index > 0);
    return fitting === -1 ? events : events.slice(0, fitting);
  }
}

/** The text of the member `data`, which is the last one of the body. */
function dataIn(body: string | null): string | null {
  return body === null ? null : body.slice(BEFORE_DATA.exec(body)![0].length, -1);
}
