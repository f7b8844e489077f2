import { type Database, type Transaction } from '../../platform/db/database.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';

/** The maximum number of triggers that one transaction works on for one cause. The others are worked off in batches. */
export const MAX_AT_ONCE = 500;

/** Short, because a batch that waits for a locked row delays all accounts. */
const LOCK_TIMEOUT = '1s';

/** Rows of accounts, each with the triggers that remain to be worked on. */
export interface FanOutRows<Row> {
  /** Has the columns `id`, which ascends within an account, `account_id` and `triggers`. */
  table: string;
  /** SQL for the columns of `Row`. */
  columns: string;
  /** Works on the next triggers of a row, in the transaction that removes them from it. */
  work: (tx: Transaction, row: Row & { triggers: string[] }) => Promise<void>;
  /** Called after each commit. */
  committed?: () => void;
  /** A line of the log for a batch that failed. */
  failure: string;
}

type Claimed<Row> = Row & { id: unknown; triggers: string[]; isLast: boolean };

/**
 * Works off rows that name many triggers, in batches that each commit with the triggers that remain: a crash neither
 * loses nor repeats work. Accounts take turns, a batch each, so that none delays another. The rows of an account are
 * worked off in their order, even by several processes.
 */
export class FanOuts<Row extends object> {
  constructor(
    private readonly db: Database,
    private readonly logger: Logger,
    private readonly rows: FanOutRows<Row>,
  ) {}

  /** Works until nothing is left for this process; `signal` ends it after the current batch. */
  async run(signal: AbortSignal | undefined): Promise<void> {
    while (signal?.aborted !== true && (await this.round(signal)));
  }

  /** The accounts with waiting rows, found one by one along the index. */
  async waitingAccounts(): Promise<string[]> {
    const { table } = this.rows;
    const rows = await this.db.query<{ account: string }>(
      `WITH RECURSIVE waiting AS (
         (SELECT account_id FROM ${table} ORDER BY account_id LIMIT 1)
         UNION ALL
         SELECT (SELECT f.account_id FROM ${table} f WHERE f.account_id > waiting.account_id
                 ORDER BY f.account_id LIMIT 1)
         FROM waiting WHERE waiting.account_id IS NOT NULL)
       SELECT account_id AS account FROM waiting WHERE account_id IS NOT NULL`,
    );
    return rows.map(({ account }) => account);
  }

  /** Works on the next triggers of an account's oldest row. @returns false when nothing is left for this process. */
  async batch(account: string): Promise<boolean> {
    const { table, work, committed } = this.rows;
    const isFound = await this.db.transaction(async (tx) => {
      await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [LOCK_TIMEOUT]);
      const row = await this.claim(tx, account);
      if (row === undefined) return false;
      await work(tx, row);
      const rest = `UPDATE ${table} SET triggers = triggers[${MAX_AT_ONCE + 1}:] WHERE id = $1`;
      await tx.query(row.isLast ? `DELETE FROM ${table} WHERE id = $1` : rest, [row.id]);
      return true;
    });
    if (isFound) committed?.();
    return isFound;
  }

  /** Locks the oldest row. While another process has locked it, the rows after it wait too. */
  private async claim(tx: Transaction, account: string): Promise<Claimed<Row> | undefined> {
    const { table, columns } = this.rows;
    const [row] = await tx.query<Claimed<Row>>(
      `SELECT id, triggers[:${MAX_AT_ONCE}] AS triggers, cardinality(triggers) <= ${MAX_AT_ONCE} AS "isLast", ${columns}
       FROM ${table} WHERE id = (SELECT id FROM ${table} WHERE account_id = $1 ORDER BY id LIMIT 1)
       FOR NO KEY UPDATE SKIP LOCKED`,
      [account],
    );
    return row;
  }

  /** Runs one batch per account. @returns whether any work was done. */
  private async round(signal: AbortSignal | undefined): Promise<boolean> {
    let isDone = false;
    for (const account of await this.waitingAccounts()) {
      if (signal?.aborted === true) break;
      isDone = (await this.tried(account)) || isDone;
    }
    return isDone;
  }

  /** A failed batch is retried later and does not delay other accounts: another session may have locked a row. */
  private async tried(account: string): Promise<boolean> {
    try {
      return await this.batch(account);
    } catch (error) {
      this.logger.warn({ account, ...errorFields(error) }, this.rows.failure);
      return false;
    }
  }
}
