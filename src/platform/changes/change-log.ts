import { columnsOf, type EntityClass } from '../db/columns.js';
import { type Table } from '../db/owned-rows.js';
import { type Topic } from '../notifications/notifications.js';

/** Changes that one statement reads for all listeners of an account. */
export const FEED_BATCH = 500;
/** Changes that one statement reads for one stream: fewer than its queue holds. */
export const STREAM_BATCH = 100;

/** A change with its number in the account: without gaps, in the order of commits. */
export interface NumberedChange {
  accountId: string;
  position: number;
}

/** Where a log is stored, and how its readers are woken. */
interface Description<C extends NumberedChange> {
  entity: EntityClass<C>;
  /** The table of the changes: with `id`, `account_id`, `position`, and `at`, the time of the change. */
  table: Table;
  /** The table with the position of each account's last change. An account without a row has no changes. */
  counter: { table: string; key: string; column: string };
  /** The changes of the account up to `position` are committed. */
  topic: Topic<{ accountId: string; position: number }>;
}

/**
 * The numbered changes of all accounts, of one kind. The transaction that inserts a change increments the counter of
 * the account, whose row stays locked until the commit, and sends the topic. No change is updated.
 */
export class ChangeLog<C extends NumberedChange> {
  readonly entity: EntityClass<C>;
  readonly table: Table;
  readonly topic: Description<C>['topic'];
  /** The statements that read the log: fixed texts, so that each is prepared once per connection. */
  readonly sql: ReturnType<typeof statementsOf>;

  constructor(description: Description<C>) {
    const { entity, table, topic } = description;
    this.entity = entity;
    this.table = table;
    this.topic = topic;
    this.sql = statementsOf(description);
  }
}

/** Constants only: no input becomes part of a text. */
function statementsOf<C extends NumberedChange>({ entity, table, counter }: Description<C>) {
  const { table: counters, key, column } = counter;
  const after = (limit: number): string =>
    `SELECT ${columnsOf(entity, 'c')} FROM ${table} c WHERE c.account_id = $1 AND c.position > $2
     ORDER BY c.position LIMIT ${limit}`;
  return {
    /** $1: the account, $2: a position. */
    forFeed: after(FEED_BATCH),
    forStream: after(STREAM_BATCH),
    /** $1: the account. */
    position: `SELECT ${column} AS position FROM ${counters} WHERE ${key} = $1`,
    /** $1: accounts. */
    positions: `SELECT ${key} AS "accountId", ${column} AS position FROM ${counters} WHERE ${key} = ANY($1)`,
    /** $1: the account. The id is null unless the change is young: changes are kept for 30 days. */
    latest: `SELECT n.${column} AS position,
         (SELECT c.id FROM ${table} c WHERE c.account_id = n.${key} AND c.position = n.${column}
            AND c.at > clock_now() - interval '1 day') AS uuid
       FROM ${counters} n WHERE n.${key} = $1`,
    /** $1: the id of a change, $2: the account, $3: the position that the id stands for, or null. */
    positionOf: `SELECT position FROM ${table}
         WHERE id = $1 AND account_id = $2 AND at > clock_now() - interval '30 days'
       UNION ALL
       SELECT $3::bigint WHERE $3 = coalesce((SELECT n.${column} FROM ${counters} n WHERE n.${key} = $2), 0) OR EXISTS (
         SELECT 1 FROM ${table} c
         WHERE c.account_id = $2 AND c.position = $3 + 1 AND c.at > clock_now() - interval '30 days')`,
  };
}
