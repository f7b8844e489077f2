import { type Transaction } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type WorkflowEnding } from '../../workflows/workflow.service.js';
import { cancelRuns } from './run-ending.js';
import { type RunWaits } from '../execution/run-waits.js';
import { publishRunChanges } from '../feed/run.events.js';

/**
 * Runs that one transaction ends: each makes events, which are written on the event loop. A job ends those that a deletion
 * leaves: see `deleted-workflows.job.ts`.
 */
export const AT_ONCE = 200;
/** Runs that a deletion locks, because a worker may be claiming them. */
const LOCKED = 5_000;
/** The first unclaimed open runs of a workflow, in id order, as every transaction locks runs. */
const OPEN = `SELECT id AS uuid FROM runs WHERE workflow_id = $1 AND account_id = $2 AND finished_at IS NULL AND claim IS NULL
  ORDER BY id LIMIT $3 FOR NO KEY UPDATE`;

/** A workflow that is deleted, and the time at which its runs end. */
interface Ending {
  workflow: string;
  accountId: string;
  now: Date;
}

/** Ends the open runs of deleted workflows. */
export class DeletedWorkflowRuns {
  constructor(
    private readonly notifications: Notifications,
    private readonly waits: Pick<RunWaits, 'cancel'>,
  ) {}

  /**
   * Cancels queued and waiting runs, at most `limit`, without those whose rows are locked. A worker cancels the runs that
   * it has claimed after their current step. @returns how many.
   */
  async end(tx: Transaction, { workflow, accountId, now }: Ending, limit: number): Promise<number> {
    const open = await tx.query<{ uuid: string }>(`${OPEN} SKIP LOCKED`, [workflow, accountId, limit]);
    const uuids = open.map(({ uuid }) => uuid);
    const changes = await cancelRuns(tx, now, uuids, 'workflow_deleted');
    await this.waits.cancel(
      tx,
      now,
      changes.filter(({ from }) => from === 'waiting').map(({ run }) => run),
    );
    await publishRunChanges(this.notifications, tx, changes);
    return open.length;
  }
}

/**
 * Before a workflow is deleted: waits for workers that are claiming its runs, so that no run starts after the deletion.
 * Runs are locked before the workflow, in the same order as when a run is saved.
 */
export const lockOpenRuns: WorkflowEnding = async (tx, _now, workflow, { accountId }) => {
  await tx.query(`SELECT count(*) FROM (${OPEN}) open`, [workflow, accountId, LOCKED]);
};

/** Cancels the runs of a deleted workflow. Records the time of deletion: the runs are kept for 30 days after it. */
export function endRunsWithWorkflow(notifications: Notifications, waits: Pick<RunWaits, 'cancel'>): WorkflowEnding {
  const runs = new DeletedWorkflowRuns(notifications, waits);
  return async (tx, now, workflow, { accountId }) => {
    // A locked run was fired after the first lock and is being claimed: its worker finds the workflow deleted.
    const ended = await runs.end(tx, { workflow, accountId, now }, AT_ONCE);
    await tx.query(
      `INSERT INTO deleted_workflows (workflow_id, account_id, deleted_at, has_open_runs)
       SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT 1 FROM runs WHERE workflow_id = $1)`,
      [workflow, accountId, now, ended === AT_ONCE],
    );
  };
}
