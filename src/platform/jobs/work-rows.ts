import { restAsLong } from '../admission/company.js';
import { type Database, type Transaction } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { LockedAccounts } from './locked-accounts.js';

/** Rows that each name work for many batches. */
export interface WorkRowsOptions<Row> {
  /** Has the columns `id`, which ascends within an account, and `account_id`, with an index on (account_id, id). */
  table: string;
  /** SQL for the columns of `Row`. */
  columns: string;
  /**
   * Does the next part of a row's work, in a transaction that has locked the row, and writes into the row what remains.
   * @returns false when nothing remains; the row is then deleted.
   */
  work: (tx: Transaction, row: Row & { id: string }) => Promise<boolean>;
  /** Whether the rows of an account may be worked off now; by default always. */
  mayWork?: (account: string) => Promise<boolean>;
  /** A line of the log for a batch that failed. */
  failure: string;
}

/**
 * Works off durable rows in batches that each commit with what remains: a crash neither loses nor repeats work. Accounts
 * take turns, a batch each, and as long a rest follows, in which requests have the database. An account with a locked row
 * loses its turn. The rows of an account are worked off in their order, even by several processes.
 */
export class WorkRows<Row extends object> {
  private readonly locked = new LockedAccounts();

  constructor(
    private readonly db: Database,
    private readonly logger: Logger,
    private readonly options: WorkRowsOptions<Row>,
  ) {}

  /** Works until nothing is left for this process; `signal` ends it after the current batch. */
  async run(signal: AbortSignal | undefined): Promise<void> {
    while (signal?.aborted !== true && (await this.round(signal)));
  }

  /** Runs one batch per account. @returns whether any work was done. */
  private async round(signal: AbortSignal | undefined): Promise<boolean> {
    let isDone = false;
    for (const account of await this.waitingAccounts()) {
      if (signal?.aborted === true) break;
      const began = performance.now();
      if (!(await this.tried(account))) continue;
      isDone = true;
      await restAsLong(began, signal);
    }
    return isDone;
  }

  /** The accounts with rows, found one by one along the index. */
  async waitingAccounts(): Promise<string[]> {
    const { table } = this.options;
    const rows = await this.db.query<{ account: string }>(
      `WITH RECURSIVE waiting AS (
         (SELECT account_id FROM ${table} ORDER BY account_id LIMIT 1)
         UNION ALL
         SELECT (SELECT r.account_id FROM ${table} r WHERE r.account_id > waiting.account_id
                 ORDER BY r.account_id LIMIT 1)
         FROM waiting WHERE waiting.account_id IS NOT NULL)
       SELECT account_id AS account FROM waiting WHERE account_id IS NOT NULL`,
    );
    return rows.map(({ account }) => account);
  }

  /** A failed batch is retried later and does not delay other accounts. */
  private async tried(account: string): Promise<boolean> {
    try {
      return (await this.options.mayWork?.(account)) !== false && (await this.batch(account));
    } catch (error) {
      this.logger.warn({ account, ...errorFields(error) }, this.options.failure);
      return false;
    }
  }

  /**
   * Does the next part of an account's oldest row. @returns false when nothing is left for this process. While another one has
   * that row, later ones wait too.
   */
  async batch(account: string): Promise<boolean> {
    return (await this.locked.attempt(this.db, account, (tx) => this.batchIn(tx, account))) === true;
  }

  private async batchIn(tx: Transaction, account: string): Promise<boolean> {
    const { table, columns, work } = this.options;
    const [row] = await tx.query<Row & { id: string }>(
      `SELECT id, ${columns} FROM ${table}
       WHERE id = (SELECT id FROM ${table} WHERE account_id = $1 ORDER BY id LIMIT 1) FOR NO KEY UPDATE SKIP LOCKED`,
      [account],
    );
    if (row === undefined) return false;
    if (!(await work(tx, row))) await tx.query(`DELETE FROM ${table} WHERE id = $1`, [row.id]);
    return true;
  }
}
