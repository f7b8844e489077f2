import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { inBatches } from '../../../platform/db/in-batches.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';

const HOUR_MS = 3_600_000;
/** How long the runs of a deleted workflow are kept, in milliseconds. */
export const KEPT_MS = 30 * 24 * HOUR_MS;
/** Runs, with their steps, that one transaction deletes. */
const SIZE = 1_000;

const ACCOUNTS = `SELECT DISTINCT account_id AS account FROM deleted_workflows WHERE deleted_at <= $1 ORDER BY account_id`;

/**
 * Deletes the runs of workflows that were deleted 30 days ago, with their steps and payloads, in batches that hold
 * locks only briefly. Accounts take turns; concurrent processes take different workflows.
 */
export function pruneRunsOfDeletedWorkflowsJob(db: Database, clock: Clock): PeriodicJob {
  const locked = new LockedAccounts();
  const round = async (end: Date, limit: number, signal: AbortSignal | undefined): Promise<boolean> => {
    const accounts = await db.query<{ account: string }>(ACCOUNTS, [end]);
    let hasMore = false;
    await eachAlone(accounts, async ({ account }) => {
      if (signal?.aborted === true) return;
      if (await locked.attempt(db, account, (tx) => pruneBatch(tx, { account, end }, limit))) hasMore = true;
    });
    return hasMore;
  };
  return {
    name: 'prune runs of deleted workflows',
    what: 'Deletes the runs of workflows that were deleted 30 days ago.',
    everyMs: HOUR_MS,
    run: (signal) => {
      const end = new Date(clock.now().getTime() - KEPT_MS);
      return inBatches({ size: SIZE, signal }, (limit) => round(end, limit, signal));
    },
  };
}

/** @returns false when nothing of the account is left for this process. */
async function pruneBatch(
  tx: Transaction,
  { account, end }: { account: string; end: Date },
  limit: number,
): Promise<boolean> {
  const [gone] = await tx.query<{ workflow: string }>(
    `SELECT workflow_id AS workflow FROM deleted_workflows WHERE deleted_at <= $1 AND account_id = $2
     ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [end, account],
  );
  if (gone === undefined) return false;
  const [pruned] = await tx.query<{ runs: number; payloads: string[] }>(
    `WITH old AS (SELECT id FROM runs WHERE workflow_id = $1 LIMIT $2),
     of_steps AS (DELETE FROM steps WHERE run_id IN (SELECT id FROM old) RETURNING payload_id),
     of_runs AS (DELETE FROM runs WHERE id IN (SELECT id FROM old) RETURNING payload_id)
     SELECT (SELECT count(*) FROM of_runs) AS runs, ARRAY(
       SELECT payload_id FROM of_runs WHERE payload_id IS NOT NULL
       UNION SELECT payload_id FROM of_steps WHERE payload_id IS NOT NULL) AS payloads`,
    [gone.workflow, limit],
  );
  await deleteUnused(tx, pruned!.payloads);
  if (pruned!.runs < limit) {
    await tx.query(`DELETE FROM deleted_workflows WHERE workflow_id = $1`, [gone.workflow]);
  }
  return true;
}

/** Deletes payloads that no other run uses: one event may fire many workflows, and retries share outputs. */
async function deleteUnused(tx: Transaction, payloads: readonly string[]): Promise<void> {
  if (payloads.length === 0) return;
  await tx.query(
    `DELETE FROM payloads p WHERE p.id = ANY($1) AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.payload_id = p.id)
       AND NOT EXISTS (SELECT 1 FROM steps s WHERE s.payload_id = p.id)
       AND NOT EXISTS (SELECT 1 FROM event_fan_outs f WHERE f.payload_id = p.id)
       AND NOT EXISTS (SELECT 1 FROM event_arrivals a WHERE a.payload_id = p.id)
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.payload_id = p.id)
       AND NOT EXISTS (SELECT 1 FROM webhook_events w WHERE w.payload_id = p.id)`,
    [payloads],
  );
}
