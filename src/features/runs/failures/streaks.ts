import { type Transaction } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { recordEvents, type WebhookEvent } from '../../webhooks/record-events.js';
import { type RunStatus } from '../run-status.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { type WorkflowEnding } from '../../workflows/workflow.service.js';
import { type Crossing, streakEvent } from './streak-event.js';

/** The end of a run that may change whether its workflow fails. */
export interface StreakEnd {
  run: string;
  workflow: string;
  status: 'succeeded' | 'failed';
}

/** How the ends of a workflow change its row. */
interface Streak {
  failures: number;
  isNoticed: boolean;
}

class FailingWorkflow extends Workflow implements Streak {
  failures: number;
  isNoticed: boolean;
}

/**
 * SQL: the streak of a workflow. `off` or null if nothing is noticed, else `none`, `counting` or `noticed`. One lookup of
 * each table.
 */
export function streakOf(workflowId: string): string {
  return `(SELECT CASE WHEN streak_of.failure_notice_after IS NULL THEN 'off' WHEN f.is_noticed THEN 'noticed'
      WHEN f.failures > 0 THEN 'counting' ELSE 'none' END
    FROM workflows streak_of LEFT JOIN workflow_failures f ON f.workflow_id = streak_of.id WHERE streak_of.id = ${workflowId})`;
}

/** A run that has ended or waits, with the streak of its workflow before. */
interface Ended {
  run: string;
  workflow: string;
  to: RunStatus;
  /** Milliseconds since 1970. */
  at: number;
  streak: string | null;
}

/**
 * The ends that count of runs that are saved together, in the order in which the runs ended: all successes and failures
 * of each workflow whose streak at least one of them changes. An end that alone changes nothing may do so between
 * others: a success separates failures.
 */
export function streakEnds(ended: readonly Ended[]): StreakEnd[] {
  const changed = new Set(ended.filter(changesStreak).map(({ workflow }) => workflow));
  if (changed.size === 0) return [];
  // Those of one moment stay in the order in which the worker reported them.
  return ended
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ run, workflow, to }) =>
      (to === 'succeeded' || to === 'failed') && changed.has(workflow) ? [{ run, workflow, status: to }] : [],
    );
}

/** Whether an end alone changes the streak: a success of a healthy workflow and a failure of a failing one do not. */
function changesStreak({ to, streak }: Ended): boolean {
  if (to === 'failed') return streak === 'none' || streak === 'counting';
  return to === 'succeeded' && (streak === 'counting' || streak === 'noticed');
}

/** Test runs do not count. A statement of its own: PostgreSQL 18 crashes when one that locks reads a partitioned table too. */
const REAL = `SELECT id FROM runs WHERE id = ANY ($1) AND id >= $2 AND id <= $3 AND NOT is_test`;

/** Adds rows for workflows that fail for the first time, locked so that they are not deleted in between. */
const BEGIN = `
  WITH missing AS (
    SELECT w.id, w.account_id FROM workflows w
    WHERE w.id = ANY ($1) AND w.failure_notice_after IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM workflow_failures f WHERE f.workflow_id = w.id)
    ORDER BY w.id FOR KEY SHARE)
  INSERT INTO workflow_failures (workflow_id, account_id, failures, is_noticed)
  SELECT id, account_id, 0, false FROM missing ORDER BY id ON CONFLICT DO NOTHING`;

/** A statement of its own, which sees the rows that were added. Workflows are locked in one order by all workers. */
const LOCK = `
  SELECT ${columnsOf(Workflow, 'w')}, f.failures, f.is_noticed AS "isNoticed" FROM workflow_failures f
  JOIN workflows w ON w.id = f.workflow_id
  WHERE f.workflow_id = ANY ($1) AND w.failure_notice_after IS NOT NULL ORDER BY f.workflow_id FOR NO KEY UPDATE OF f`;

/**
 * Follows the ends of runs, in their order and in the transaction that saves them. The row of a workflow stays locked until
 * the commit, so that several workers count each end once.
 */
export async function followStreaks(tx: Transaction, now: Date, ends: readonly StreakEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const runs = ends.map(({ run }) => run).sort();
  const real = await tx.query<{ id: string }>(REAL, [runs, runs[0], runs.at(-1)]);
  const counted = new Set(real.map(({ id }) => id));
  const ofWorkflow = Map.groupBy(
    ends.filter(({ run }) => counted.has(run)),
    ({ workflow }) => workflow,
  );
  if (ofWorkflow.size === 0) return;
  await tx.query(BEGIN, [[...ofWorkflow.keys()]]);
  const workflows = await tx.select(FailingWorkflow, LOCK, [[...ofWorkflow.keys()]]);
  const steps = workflows.map((workflow) => ({ workflow, ...follow(workflow, ofWorkflow.get(workflow.uuid)!) }));
  await tx.query(
    `UPDATE workflow_failures f SET failures = n.failures, is_noticed = n.is_noticed
     FROM unnest($1::uuid[], $2::int[], $3::boolean[]) n (id, failures, is_noticed) WHERE f.workflow_id = n.id`,
    [
      steps.map(({ workflow }) => workflow.uuid),
      steps.map(({ after }) => after.failures),
      steps.map(({ after }) => after.isNoticed),
    ],
  );
  await tell(tx, now, steps);
}

/** The row after ends of runs, and the crossings on the way. */
function follow(
  { failures, isNoticed, failureNoticeAfter }: Streak & Pick<Workflow, 'failureNoticeAfter'>,
  ends: readonly Pick<StreakEnd, 'run' | 'status'>[],
): { after: Streak; crossings: Crossing[] } {
  const after = { failures, isNoticed };
  const crossings: Crossing[] = [];
  for (const { run, status } of ends) {
    if (status === 'succeeded') {
      if (after.isNoticed) crossings.push({ type: 'workflow.recovered', failures: after.failures, run });
      Object.assign(after, { failures: 0, isNoticed: false });
    } else if (!after.isNoticed) {
      after.failures += 1;
      if (after.failures < (failureNoticeAfter ?? Infinity)) continue;
      after.isNoticed = true;
      crossings.push({ type: 'workflow.failing', failures: after.failures, run });
    }
  }
  return { after, crossings };
}

async function tell(
  tx: Transaction,
  now: Date,
  steps: readonly { workflow: Workflow; crossings: readonly Crossing[] }[],
): Promise<void> {
  const told = steps.flatMap(({ workflow, crossings }) => crossings.map((crossing) => ({ workflow, crossing })));
  if (told.length === 0) return;
  await recordEvents(
    tx,
    now,
    told.map(({ workflow, crossing }): WebhookEvent => streakEvent(workflow, crossing)),
  );
  const notices = told.filter(({ crossing }) => crossing.type === 'workflow.failing');
  if (notices.length === 0) return;
  await tx.query(
    `INSERT INTO failure_notices (id, account_id, workflow_id, workflow_name, failures, run_id)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::uuid[])`,
    [
      notices.map(() => newUuid(now)),
      notices.map(({ workflow }) => workflow.accountId),
      notices.map(({ workflow }) => workflow.uuid),
      notices.map(({ workflow }) => workflow.name),
      notices.map(({ crossing }) => crossing.failures),
      notices.map(({ crossing }) => crossing.run),
    ],
  );
}

/** Deletes the streak of a workflow with it. */
export const endStreak: WorkflowEnding = async (tx, _now, workflow) => {
  await tx.query(`DELETE FROM workflow_failures WHERE workflow_id = $1`, [workflow]);
};
