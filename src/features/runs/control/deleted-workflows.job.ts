import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { inBatches } from '../../../platform/db/in-batches.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { AT_ONCE, type DeletedWorkflowRuns } from './deleted-workflows.js';

/** The accounts with such runs. The rows are few: a deletion leaves one only if it does not end all runs itself. */
const ACCOUNTS = `SELECT DISTINCT account_id AS account FROM deleted_workflows WHERE has_open_runs ORDER BY account_id`;

/**
 * Ends the runs that a deletion has left. A queued run would meet a worker, but one that waits would wait on, for up to a
 * week. Accounts take turns; concurrent processes take different workflows.
 */
export function endRunsOfDeletedWorkflowsJob(db: Database, clock: Clock, runs: DeletedWorkflowRuns): PeriodicJob {
  const locked = new LockedAccounts();
  const endBatch = async (tx: Transaction, accountId: string, limit: number): Promise<boolean> => {
    const [gone] = await tx.query<{ workflow: string }>(
      `SELECT workflow_id AS workflow FROM deleted_workflows WHERE has_open_runs AND account_id = $1
       ORDER BY workflow_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [accountId],
    );
    if (gone === undefined) return false;
    const ended = await runs.end(tx, { ...gone, accountId, now: clock.now() }, limit);
    if (ended === limit) return true;
    // Rows that others have locked are left for the next time, unless they have ended by then.
    const done = await tx.query(
      `UPDATE deleted_workflows SET has_open_runs = false WHERE workflow_id = $1 AND NOT EXISTS (
         SELECT 1 FROM runs WHERE workflow_id = $1 AND account_id = $2 AND finished_at IS NULL AND claim IS NULL)
       RETURNING 1 AS one`,
      [gone.workflow, accountId],
    );
    return done.length > 0;
  };
  const round = async (limit: number, signal: AbortSignal | undefined): Promise<boolean> => {
    const accounts = await db.query<{ account: string }>(ACCOUNTS);
    let hasMore = false;
    await eachAlone(accounts, async ({ account }) => {
      if (signal?.aborted === true) return;
      if (await locked.attempt(db, account, (tx) => endBatch(tx, account, limit))) hasMore = true;
    });
    return hasMore;
  };
  return {
    name: 'end runs of deleted workflows',
    what: 'Cancels further runs of workflows that were deleted with more than 200 open runs.',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: AT_ONCE, signal }, (limit) => round(limit, signal)),
  };
}
