import { setTimeout as sleep } from 'node:timers/promises';
import { workForCallers } from '../../../platform/admission/work.js';
import { lockSql } from '../../../platform/db/advisory-locks.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { sqlState } from '../../../platform/db/sql-state.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { eventsNumbered } from './event-log.js';

/** The most events that one transaction numbers, and the most bytes that their texts take in the table. */
const AT_ONCE = 5_000;
const BYTES_AT_ONCE = 4 * 1_048_576;
/** The events after which the numberer removes what is left of them in `event_arrivals`. */
const VACUUMED_AFTER = 2_000;
/** The longest wait of a reader, in milliseconds. */
const READER_MS = 1_500;
/** The longest wait of a turn for a lock, in milliseconds: it has a connection in between. */
const LOCK_MS = 250;
/** The tries of a turn: after them the numbering fails, and is repeated by the job or the next reader. */
const TRIES = READER_MS / LOCK_MS;
const LOCK_NOT_AVAILABLE = '55P03';

const IS_DUE = 'SELECT 1 AS one FROM event_arrivals LIMIT 1';

/**
 * A statement of its own: the next one gets its snapshot after the lock. Without nested loops: PostgreSQL may expect one row of
 * what a statement has just deleted, and compare each event with each account.
 */
const BEGIN = `SELECT ${lockSql('eventNumbering')}, set_config('enable_nestloop', 'off', true)`;

const NUMBER = `
  WITH first AS MATERIALIZED (
    SELECT a.ctid, a.place, pg_column_size(a.body) + coalesce(pg_column_size(a.tail), 0) AS bytes
    FROM event_arrivals a ORDER BY a.place LIMIT ${AT_ONCE}),
  chosen AS MATERIALIZED (
    SELECT ctid FROM (SELECT ctid, sum(bytes) OVER (ORDER BY place) - bytes AS before FROM first) summed
    WHERE before < ${BYTES_AT_ONCE}),
  fresh AS (DELETE FROM event_arrivals WHERE ctid = ANY (ARRAY(SELECT ctid FROM chosen)) RETURNING *),
  counted AS (
    INSERT INTO event_counters AS c (account_id, position)
    SELECT account_id, count(*) FROM fresh GROUP BY account_id
    ON CONFLICT (account_id) DO UPDATE SET position = c.position + excluded.position
    RETURNING account_id, position),
  numbered AS (
    INSERT INTO events (id, account_id, position, type, at, body, payload_id, tail, urls_of)
    SELECT f.id, f.account_id, c.position - f.behind, f.type, f.at, f.body, f.payload_id, f.tail, f.urls_of
    FROM (SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY place DESC) - 1 AS behind FROM fresh) f
    JOIN counted c ON c.account_id = f.account_id ORDER BY f.place)
  SELECT account_id AS "accountId", position, (SELECT count(*) FROM chosen) AS moved,
    (SELECT count(*) FROM first) AS looked
  FROM counted`;

interface Counter {
  accountId: string;
  /** Of the account's last event. */
  position: number;
  /** The events of all accounts that were numbered together, and those that were looked at: more if they are long. */
  moved: number;
  looked: number;
}

/**
 * Numbers events after their commit, so that no transaction waits for another to record one. A turn numbers the events
 * of all transactions that have committed since the turn before: so the numbers follow the commits, and a slow
 * transaction delays only its own events. Within a turn an account's events have the order in which they were recorded,
 * which is that of the locks that their transactions took. One process numbers at a time.
 */
export class EventNumbering {
  private catching: Promise<void> | undefined;
  private movedSinceVacuum = 0;

  constructor(
    private readonly db: Database,
    private readonly notifications: Notifications,
    private readonly logger: Logger,
  ) {}

  /** Numbers what is committed. Idle it costs one statement. */
  async run(): Promise<void> {
    if ((await this.db.query(IS_DUE)).length === 0) return;
    for (let isLast = false; !isLast;) {
      const counters = await this.turn();
      for (const { accountId, position } of counters) this.notifications.hint(eventsNumbered, { accountId, position });
      const { moved, looked } = counters[0] ?? { moved: 0, looked: 0 };
      isLast = moved === looked && moved < AT_ONCE;
      this.movedSinceVacuum += moved;
    }
  }

  /**
   * Removes the rows of numbered events. Autovacuum comes once a minute at most; until then each turn would read all events
   * of that minute.
   */
  async tidy(): Promise<void> {
    if (this.movedSinceVacuum < VACUUMED_AFTER) return;
    this.movedSinceVacuum = 0;
    await this.db.query('VACUUM (SKIP_LOCKED) event_arrivals');
  }

  /**
   * For readers: after it, they see each event that was committed before the call. Calls at the same time share a turn.
   * A database that takes no writes is still read, and one that is silent holds a reader no longer than its next statement
   * does: after a second and a half it reads what is numbered. It misses nothing by that, but gets the rest later.
   */
  async catchUp(): Promise<void> {
    const tooLate = new AbortController();
    const late = sleep(READER_MS, undefined, { signal: tooLate.signal }).catch(() => undefined);
    await Promise.race([this.numberAll(), late]);
    tooLate.abort();
  }

  private async numberAll(): Promise<void> {
    // The turn under way may have looked too early.
    await this.catching;
    // Readers of all accounts share it, so it must not wait for the turn of the account that came first.
    this.catching ??= workForCallers(() => this.db.outsideUnitOfWork(() => this.run()))
      .catch((error: unknown) => this.logger.warn(errorFields(error), 'events: could not be numbered'))
      .finally(() => (this.catching = undefined));
    await this.catching;
  }

  private async turn(): Promise<Counter[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.db.transaction(number, LOCK_MS);
      } catch (error) {
        if (tries === TRIES || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      }
    }
  }
}

async function number(tx: Transaction): Promise<Counter[]> {
  await tx.query(BEGIN);
  return tx.query<Counter>(NUMBER);
}
