import { type Transaction } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type StepError } from '../../actions/step-work.js';
import { type NextStep } from '../execution/claimed-run.js';
import { rowAfter, saveRuns, type StandingRun } from '../execution/run-rows.js';
import { publishRunChanges } from '../feed/run.events.js';
import { STEP_BYTES } from '../queue/run-bytes.js';
import { type RunQueue } from '../queue/run-queue.js';
import { type RunStatus } from '../run-status.js';

/** A run as its locked row has it, and what its waits need of it. */
export interface LockedRun extends StandingRun {
  status: RunStatus;
  hops: number;
  isTest: boolean;
  /** The list of its actions; null if it has none. */
  actionsId: string | null;
}

/** The end of a run's wait. The output is a JSON text. `again`: the step is executed again. */
export interface WaitEnd {
  run: LockedRun;
  index: number;
  outcome: { kind: 'succeeded'; output: string } | { kind: 'failed'; error: StepError } | { kind: 'again' };
}

/** Locks runs in the order of their ids, as every transaction does. `busy`: `skip` leaves out rows that others have locked. */
export async function lockRunsById(
  tx: Transaction,
  uuids: readonly string[],
  busy: 'wait' | 'skip' = 'wait',
): Promise<Map<string, LockedRun>> {
  if (uuids.length === 0) return new Map();
  const sorted = [...new Set(uuids)].sort();
  const rows = await tx.query<{ [K in keyof LockedRun]: LockedRun[K] }>(
    `SELECT r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.status, r.version, r.hops,
       r.started_at AS "startedAt", r.wait_changed_at AS "waitChangedAt", r.workers_lost AS "workersLost",
       r.is_test AS "isTest", r.actions_id AS "actionsId"
     FROM runs r
     -- The bounds let PostgreSQL leave out the partitions of other weeks.
     WHERE r.id = ANY($1) AND r.id >= $2 AND r.id <= $3 ORDER BY r.id
     FOR NO KEY UPDATE ${busy === 'skip' ? 'SKIP LOCKED' : ''}`,
    [sorted, sorted[0], sorted.at(-1)],
  );
  return new Map(rows.map((run) => [run.uuid, run]));
}

/** Ends the waits of locked runs: saves their steps, and queues the runs or ends them, in one transaction. */
export class RunContinuation {
  constructor(
    private readonly queue: RunQueue,
    private readonly notifications: Notifications,
  ) {}

  async continue(tx: Transaction, now: Date, ends: readonly WaitEnd[]): Promise<void> {
    const waiting = ends.filter(({ run }) => run.status === 'waiting');
    if (waiting.length === 0) return;
    await saveSteps(tx, now, waiting);
    tx.afterCommit(() => {
      for (const { run, outcome } of waiting)
        if (outcome.kind === 'succeeded') this.queue.stored.add(run.accountId, STEP_BYTES + outcome.output.length);
    });
    const changes = await saveRuns(
      tx,
      waiting.map((end) => rowAfter(end.run, 'waiting', nextOf(end), now)),
    );
    const due = waiting.filter(({ outcome }) => outcome.kind !== 'failed').map(({ run }) => run);
    await this.queue.add(tx, due);
    await publishRunChanges(this.notifications, tx, changes);
    if (due.length > 0) tx.afterCommit(() => this.queue.announce());
  }
}

function nextOf({ outcome }: WaitEnd): NextStep {
  return outcome.kind === 'failed' ? { kind: 'end', status: 'failed', error: outcome.error } : { kind: 'handBack' };
}

const STATUS = { succeeded: 'succeeded', failed: 'failed', again: 'running' } as const;

async function saveSteps(tx: Transaction, now: Date, ends: readonly WaitEnd[]): Promise<void> {
  await tx.query(
    `UPDATE steps s SET status = n.status, output = n.output::json, error = n.error::json,
       finished_at = CASE WHEN n.status = 'running' THEN NULL ELSE greatest($1::timestamptz, s.started_at) END
     FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[]) n (run_id, index, status, output, error)
     WHERE s.run_id = n.run_id AND s.index = n.index AND s.status = 'waiting'`,
    [
      now,
      ends.map(({ run }) => run.uuid),
      ends.map(({ index }) => index),
      ends.map(({ outcome }) => STATUS[outcome.kind]),
      ends.map(({ outcome }) => (outcome.kind === 'succeeded' ? outcome.output : null)),
      ends.map(({ outcome }) => (outcome.kind === 'failed' ? JSON.stringify(outcome.error) : null)),
    ],
  );
}
