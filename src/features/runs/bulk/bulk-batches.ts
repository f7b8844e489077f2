import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { AppError, isDatabaseAway } from '../../../platform/errors.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type RunCancel } from '../control/run-cancel.js';
import { type RunRetry } from '../control/run-retry.js';
import { type RunQueue } from '../queue/run-queue.js';
import { recordBulkChange } from './bulk-changes.js';
import { retriedSince } from './bulk-items.js';
import { BulkOperation } from './bulk-operation.entity.js';

/** Runs of one batch. A retry locks the workflow of its run, and hooks of that workflow wait for the commit. */
const SIZES = { retry: 20, cancel: 200 } as const;

/** The services that a batch uses. */
export interface BulkDependencies {
  db: Database;
  clock: Clock;
  logger: Logger;
  notifications: Notifications;
  queue: RunQueue;
  retries: Pick<RunRetry, 'retryIn'>;
  cancels: Pick<RunCancel, 'cancelIn'>;
}

const NEXT = `
  SELECT ${columnsOf(BulkOperation, 'b')} FROM bulk_operations b WHERE b.id = (
    SELECT id FROM bulk_operations WHERE account_id = $1 AND status = 'running' AND (kind = 'cancel' OR NOT $2)
    ORDER BY id LIMIT 1)
  AND b.status = 'running' FOR NO KEY UPDATE SKIP LOCKED`;

/** The accounts with running operations, found one by one along the index. */
const ACCOUNTS = `
  WITH RECURSIVE waiting AS (
    (SELECT account_id FROM bulk_operations WHERE status = 'running' ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT b.account_id FROM bulk_operations b WHERE b.status = 'running' AND b.account_id > waiting.account_id
            ORDER BY b.account_id LIMIT 1)
    FROM waiting WHERE waiting.account_id IS NOT NULL)
  SELECT account_id AS account FROM waiting WHERE account_id IS NOT NULL`;

/**
 * Executes bulk operations in batches. A batch is one transaction with the runs that it changes, the items that it
 * deletes and the numbers of the operation, so that a crash neither loses nor repeats an item. Accounts take turns, a
 * batch each, and one with a locked row loses its turn; the operations of an account are executed in their order, even by several processes.
 */
export class BulkBatches {
  /** Operations whose last batch failed: their runs are executed one by one until one batch succeeds. */
  private readonly careful = new Set<string>();
  private readonly locked = new LockedAccounts();

  constructor(private readonly deps: BulkDependencies) {}

  /** Works until nothing is left for this process; `signal` ends it after the current batch. */
  async run(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && (await this.round(signal)));
  }

  /** Executes one batch per account. @returns whether any work was done. */
  private async round(signal?: AbortSignal): Promise<boolean> {
    let isDone = false;
    for (const { account } of await this.deps.db.query<{ account: string }>(ACCOUNTS)) {
      if (signal?.aborted === true) break;
      isDone = (await this.batch(account)) || isDone;
    }
    return isDone;
  }

  /** Executes the next batch of an account. @returns false when nothing is left for this process. */
  async batch(account: string): Promise<boolean> {
    const { db, queue } = this.deps;
    // Its retries wait for room; its cancelations do not.
    const isFull = await queue.stored.isFull(account);
    let operation: BulkOperation | undefined;
    let isCommitted: boolean | undefined;
    try {
      isCommitted = await this.locked.attempt(db, account, async (tx) => {
        [operation] = await tx.select(BulkOperation, NEXT, [account, isFull]);
        if (operation !== undefined) await this.execute(tx, operation);
        return true;
      });
    } catch (error) {
      return this.failed(error, [account, isFull], operation);
    }
    if (isCommitted === undefined || operation === undefined) return false;
    this.careful.delete(operation.uuid);
    if (operation.kind === 'retry') queue.announce();
    return true;
  }

  /** Work on a run that fails for an unforeseen reason must not stop the operation: alone in its batch, it counts as failed. */
  private async failed(
    error: unknown,
    [account, isFull]: [string, boolean],
    operation: BulkOperation | undefined,
  ): Promise<boolean> {
    this.deps.logger.warn(
      { account, bulk: operation?.id, ...errorFields(error) },
      'a batch of a bulk operation failed',
    );
    if (operation === undefined || isDatabaseAway(error)) return false;
    if (!this.careful.has(operation.uuid)) {
      this.careful.add(operation.uuid);
      return true;
    }
    this.careful.delete(operation.uuid);
    await this.locked.attempt(this.deps.db, account, async (tx) => {
      const [locked] = await tx.select(BulkOperation, NEXT, [account, isFull]);
      if (locked?.uuid !== operation.uuid) return;
      const items = await take(tx, locked.uuid, 1);
      await this.save(tx, locked, { done: 0, failed: items.length, isLast: items.length === 0 });
    });
    return true;
  }

  private async execute(tx: Transaction, operation: BulkOperation): Promise<void> {
    const size = this.careful.has(operation.uuid) ? 1 : SIZES[operation.kind];
    const runs = await take(tx, operation.uuid, size);
    const done =
      operation.kind === 'cancel' ? await this.cancel(tx, operation, runs) : await this.retry(tx, operation, runs);
    await this.save(tx, operation, { done, failed: runs.length - done, isLast: runs.length < size });
  }

  private async cancel(tx: Transaction, { accountId, actor }: BulkOperation, runs: readonly string[]): Promise<number> {
    return (await this.deps.cancels.cancelIn(tx, { accountId, actor }, runs)).length;
  }

  private async retry(tx: Transaction, operation: BulkOperation, runs: readonly string[]): Promise<number> {
    const { accountId, hops, retryFrom } = operation;
    // Another operation or a person may have retried them while they waited for their turn.
    const since = await retriedSince(tx, operation, runs);
    let done = 0;
    for (const run of runs.filter((one) => !since.has(one))) {
      try {
        await this.deps.retries.retryIn(tx, { accountId, hops }, toPublicId('run', run), retryFrom!, 'background');
        done += 1;
      } catch (error) {
        // Thrown before the run has written anything: the transaction goes on.
        if (!(error instanceof AppError)) throw error;
      }
    }
    return done;
  }

  private async save(
    tx: Transaction,
    operation: BulkOperation,
    { done, failed, isLast }: { done: number; failed: number; isLast: boolean },
  ): Promise<void> {
    const [saved] = await tx.select(
      BulkOperation,
      `UPDATE bulk_operations b SET done = b.done + $2, failed = b.failed + $3, status = CASE WHEN $4 THEN 'done' ELSE b.status END
       WHERE b.id = $1 RETURNING ${columnsOf(BulkOperation, 'b')}`,
      [operation.uuid, done, failed, isLast || operation.done + operation.failed + done + failed === operation.matched],
    );
    await recordBulkChange(tx, this.deps.notifications, this.deps.clock.now(), saved!);
  }
}

/** Takes the oldest runs that are left, in the order in which every transaction locks runs. */
async function take(tx: Transaction, bulk: string, size: number): Promise<string[]> {
  const rows = await tx.query<{ run: string }>(
    `DELETE FROM bulk_items WHERE bulk_id = $1 AND run_id = ANY (ARRAY (
       SELECT run_id FROM bulk_items WHERE bulk_id = $1 ORDER BY run_id LIMIT $2)) RETURNING run_id AS run`,
    [bulk, size],
  );
  return rows.map(({ run }) => run).sort();
}
