import { type Queryable } from '../db/database.js';
import { MIN_UUID } from '../ids/ids.js';
import { inTurns } from './in-turns.js';

/** A table whose rows fall due, each at the time in one of its columns. */
export interface DueTable {
  /** Has the columns `id` and `account_id`. */
  table: string;
  /** The column of the time. It needs two indexes of the rows with a time: of the column, and of `account_id` with it. */
  at: string;
  /** SQL: whether the row `t` is due. */
  isDue: string;
  /** The number of the parameters of `isDue`, from $2 on. */
  values: number;
}

/** The due rows of some accounts, and the last of these accounts; null if no account follows. */
interface Shares {
  uuids: string[];
  last: string | null;
}

function statementsFor({ table, at, isDue, values }: DueTable): { earliest: string; ofAccounts: string } {
  const due = (where: string, limit: string) =>
    `SELECT t.id AS uuid, t.account_id AS account, t.${at} AS at FROM ${table} t
     WHERE ${isDue} ${where} ORDER BY t.${at} LIMIT ${limit}`;
  return {
    earliest: inTurns(due('', '$1::integer + 1')),
    // Skips from account to account in the index: as many accounts as rows are asked for, and of each no more than its
    // share. So it reads about twice what it returns, however long the backlog is.
    ofAccounts: `
      WITH RECURSIVE waiting AS (
        SELECT $${values + 2}::uuid AS account, 0 AS place
        UNION ALL
        SELECT (SELECT t.account_id FROM ${table} t WHERE t.${at} IS NOT NULL AND t.account_id > waiting.account
                ORDER BY t.account_id LIMIT 1), place + 1
        FROM waiting WHERE account IS NOT NULL AND place < $1::integer),
      sharing AS (
        SELECT waiting.account, count(*) OVER () AS accounts
        FROM waiting CROSS JOIN LATERAL (${due('AND t.account_id = waiting.account', '1')}) first WHERE place > 0),
      shares AS (
        SELECT own.* FROM sharing
        CROSS JOIN LATERAL (${due('AND t.account_id = sharing.account', '($1 + accounts - 1) / accounts')}) own)
      SELECT coalesce(array_agg(uuid ORDER BY nth, at), '{}') AS uuids,
        (SELECT account FROM waiting ORDER BY place DESC LIMIT 1) AS last
      FROM (${inTurns('SELECT * FROM shares')} LIMIT $1) chosen`,
  };
}

/**
 * Finds due rows, the first of each account before the second of any. While more are due than a call asks for, each
 * call continues behind the accounts of the one before, so that the backlog of one account hides no other.
 */
export class DueInTurns {
  private readonly statements: ReturnType<typeof statementsFor>;
  private after = MIN_UUID;

  constructor(table: DueTable) {
    this.statements = statementsFor(table);
  }

  /** The uuids of due rows, locked or not: `limit` of them if there are as many. */
  async next(on: Queryable, limit: number, values: readonly unknown[] = []): Promise<string[]> {
    const { earliest, ofAccounts } = this.statements;
    const first = (await on.query<{ uuid: string }>(earliest, [limit, ...values])).map(({ uuid }) => uuid);
    if (first.length <= limit) return first;
    const [shares] = await on.query<Shares>(ofAccounts, [limit, ...values, this.after]);
    this.after = shares!.last ?? MIN_UUID;
    // Accounts that only wait have no share: the earliest rows of all take their places.
    return [...new Set([...shares!.uuids, ...first])].slice(0, limit);
  }
}
