import { type StepError } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { type Database, type Transaction } from '../../db/database.js';
import { GroupCommit } from '../../db/group-commit.js';
import { type Notifications } from '../../events/notifications.js';
import { type RunQueue } from '../run-queue.js';
import { publishRunChanges, type RunChange } from '../run.events.js';
import { type RunStatus } from '../run-status.js';
import { type RunTally } from '../run-tally.js';
import { CANCELED, type ClaimedRun, type StepState } from './claimed-run.js';
import { saveSteps } from './step-rows.js';

/** What comes after a step: the next one, the end, a pause, or another worker. */
export type Then =
  | { kind: 'next'; step: StepState }
  | { kind: 'end'; status: 'succeeded' | 'failed' | 'canceled'; reason?: string; error?: StepError }
  | { kind: 'resume'; at: Date }
  | { kind: 'hand back' };

/** How far a run has come, to be saved before it goes on. */
export interface Progress {
  run: ClaimedRun;
  /** The step as it ended or stands. */
  step: StepState | undefined;
  then: Then;
}

/** `over`: this worker has nothing more to do with the run. */
export type Verdict = 'goes on' | 'over';

interface HeldRun {
  uuid: string;
  cancelRequested: boolean;
  workflowGone: boolean;
}

const MEBIBYTE = 2 ** 20;

/**
 * Saves steps as they end. Those of many runs that end at the same time share a transaction, which also ends or parks
 * their runs and settles their jobs. What a worker that lost its claim has to say is not saved.
 */
export class ProgressLog {
  private readonly group: GroupCommit<Progress, Verdict>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly queue: RunQueue,
    private readonly notifications: Notifications,
    private readonly tally: RunTally,
  ) {
    this.group = new GroupCommit({
      write: (all) => this.write(all),
      sizeOf: ({ step }) => sizeOf(step),
      group: { count: 128, bytes: 8 * MEBIBYTE },
      waiting: { count: 10_000, bytes: 256 * MEBIBYTE },
      lanes: 2,
    });
  }

  /** Resolves once it is committed. */
  save(progress: Progress): Promise<Verdict> {
    return this.group.add(progress);
  }

  close(): Promise<void> {
    return this.group.close();
  }

  private async write(all: readonly Progress[]): Promise<Verdict[]> {
    const now = this.clock.now();
    let changes: RunChange[] = [];
    const verdicts = await this.db.transaction(async (tx) => {
      const held = await lockHeld(tx, all);
      await noteDeletions(tx, all, held);
      const ours = all.flatMap((progress) => {
        const row = held.get(progress.run.uuid);
        return row === undefined ? [] : [judge(progress, row, now)];
      });
      await saveSteps(
        tx,
        ours.flatMap(({ run, step, then }) => [
          ...(step === undefined ? [] : [{ run, step }]),
          ...(then.kind === 'next' ? [{ run, step: then.step }] : []),
        ]),
      );
      await forgetLostWorkers(
        tx,
        ours.filter(({ then }) => then.kind === 'next'),
      );
      const left = ours.filter(({ then }) => then.kind !== 'next');
      changes = await updateRuns(tx, now, left);
      await this.queue.done(
        tx,
        left.map(({ run }) => run.job),
      );
      await this.queue.add(
        tx,
        left.filter(({ then }) => then.kind === 'hand back').map(({ run }) => run),
      );
      await publishRunChanges(this.notifications, tx, changes);
      const going = new Set(ours.filter(({ then }) => then.kind === 'next').map(({ run }) => run.uuid));
      return all.map(({ run }): Verdict => (going.has(run.uuid) ? 'goes on' : 'over'));
    });
    this.tally.count(changes);
    return verdicts;
  }
}

/** The runs that are still this worker's, locked in the order of their ids. */
async function lockHeld(tx: Transaction, all: readonly Progress[]): Promise<Map<string, HeldRun>> {
  const sorted = all.map(({ run }) => run).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const rows = await tx.query<HeldRun>(
    `SELECT r.id AS uuid, r.cancel_requested AS "cancelRequested",
            NOT EXISTS (SELECT 1 FROM workflows w WHERE w.id = r.workflow_id) AS "workflowGone"
     FROM unnest($1::uuid[], $2::uuid[]) held (id, claim) JOIN runs r ON r.id = held.id AND r.claim = held.claim
     WHERE r.id >= $3 AND r.id <= $4 AND r.status = 'running'
     ORDER BY r.id FOR NO KEY UPDATE OF r`,
    [sorted.map(({ uuid }) => uuid), sorted.map(({ claim }) => claim), sorted[0]!.uuid, sorted.at(-1)!.uuid],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/**
 * Who deletes a workflow leaves out the runs that are being saved. Those that are about to wait would then wait on, so
 * their workflows are held until the commit.
 */
async function noteDeletions(
  tx: Transaction,
  all: readonly Progress[],
  held: ReadonlyMap<string, HeldRun>,
): Promise<void> {
  const waiting = all.filter(({ run, then }) => then.kind === 'resume' && held.has(run.uuid));
  if (waiting.length === 0) return;
  const rows = await tx.query<{ id: string }>(`SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`, [
    [...new Set(waiting.map(({ run }) => run.workflowUuid))],
  ]);
  const present = new Set(rows.map(({ id }) => id));
  for (const { run } of waiting) held.get(run.uuid)!.workflowGone ||= !present.has(run.workflowUuid);
}

/** A run that somebody canceled, or whose workflow is gone, ends here unless it ends anyway. */
function judge(progress: Progress, { cancelRequested, workflowGone }: HeldRun, now: Date): Progress {
  const { step, then } = progress;
  if (then.kind === 'end' || !(cancelRequested || workflowGone)) return progress;
  return {
    ...progress,
    step: step?.status === 'running' ? { ...step, status: 'failed', error: CANCELED, finishedAt: now } : step,
    then: { kind: 'end', status: 'canceled', ...(workflowGone && { reason: 'workflow_deleted' }) },
  };
}

/** What was saved shows that its worker got somewhere with it. */
async function forgetLostWorkers(tx: Transaction, goingOn: readonly Progress[]): Promise<void> {
  const uuids = goingOn.filter(({ run }) => run.workersLost > 0).map(({ run }) => run.uuid);
  if (uuids.length > 0) await tx.query(`UPDATE runs SET workers_lost = 0 WHERE id = ANY($1)`, [uuids]);
}

async function updateRuns(tx: Transaction, now: Date, left: readonly Progress[]): Promise<RunChange[]> {
  if (left.length === 0) return [];
  const rows = left.map(({ run, then }) => ({
    uuid: run.uuid,
    status: then.kind === 'end' ? then.status : 'running',
    reason: then.kind === 'end' ? (then.reason ?? null) : null,
    error: then.kind === 'end' && then.error !== undefined ? JSON.stringify(then.error) : null,
    resumeAt: then.kind === 'resume' ? then.at : null,
  }));
  const ids = rows.map(({ uuid }) => uuid).sort();
  const updated = await tx.query<{
    uuid: string;
    accountId: string;
    workflowUuid: string;
    status: RunStatus;
    version: number;
  }>(
    `UPDATE runs r SET status = n.status, status_reason = n.reason, error = n.error, resume_at = n.resume_at, claim = NULL,
       workers_lost = 0, version = r.version + (n.status <> 'running')::int,
       finished_at = CASE WHEN n.status <> 'running' THEN $1::timestamptz END
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::json[], $6::timestamptz[])
          n (id, status, reason, error, resume_at)
     WHERE r.id = n.id AND r.id >= $7 AND r.id <= $8
     RETURNING r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.status, r.version`,
    [
      now,
      rows.map(({ uuid }) => uuid),
      rows.map(({ status }) => status),
      rows.map(({ reason }) => reason),
      rows.map(({ error }) => error),
      rows.map(({ resumeAt }) => resumeAt),
      ids[0],
      ids.at(-1),
    ],
  );
  return updated
    .filter(({ status }) => status !== 'running')
    .map(({ uuid, accountId, workflowUuid, status, version }) => ({
      run: uuid,
      account: accountId,
      workflow: workflowUuid,
      from: 'running',
      to: status,
      version,
      at: now.getTime(),
    }));
}

function sizeOf(step: StepState | undefined): number {
  return step?.output == null ? 100 : JSON.stringify(step.output).length;
}
