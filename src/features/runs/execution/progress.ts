import { type Database, type Transaction } from '../../../platform/db/database.js';
import { GroupCommit } from '../../../platform/db/groups/group-commit.js';
import { asWriter, GROUP_BYTES } from '../../../platform/db/groups/group-options.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type RunQueue } from '../queue/run-queue.js';
import { type RunChange } from '../queue/runs-changed.js';
import { publishRunChanges } from '../feed/run.events.js';
import { type RunTally } from '../feed/run-tally.js';
import { arriveAtWaits } from './arrive.js';
import { CANCELED, type Progress, type StepState } from './claimed-run.js';
import { rowAfter, saveRuns } from './run-rows.js';
import { type RunWaits } from './run-waits.js';
import { saveSteps } from './step-rows.js';

/** `released`: the run no longer belongs to this worker. */
export type SaveResult = 'continue' | 'released';

interface HeldRun {
  /** The time of the database. */
  now: Date;
  uuid: string;
  version: number;
  cancelRequested: boolean;
  workflowGone: boolean;
}

const MEBIBYTE = 2 ** 20;

/**
 * Saves steps as they end. Steps that end at the same time share a transaction, which also ends or parks their runs and
 * settles their jobs. The results of a worker that lost its claim are discarded.
 */
export class ProgressLog {
  private readonly group: GroupCommit<Progress, SaveResult>;

  constructor(
    private readonly db: Database,
    private readonly queue: RunQueue,
    private readonly notifications: Notifications,
    private readonly tally: RunTally,
    private readonly waits: Pick<RunWaits, 'arrive'>,
  ) {
    this.group = new GroupCommit({
      write: (all, lockMs) => asWriter(all[0]!.run.accountId, lockMs, () => this.write(all, lockMs)),
      sizeOf: ({ step }) => sizeOf(step),
      laneOf: ({ run }) => run.accountId,
      rowOf: ({ run }) => run.uuid,
      group: { count: 128, bytes: GROUP_BYTES },
      waiting: { count: 10_000, bytes: 256 * MEBIBYTE },
      lanes: 2,
    });
  }

  /** Resolves after the commit. */
  save(progress: Progress): Promise<SaveResult> {
    return this.group.add(progress);
  }

  close(): Promise<void> {
    return this.group.close();
  }

  private async write(all: readonly Progress[], lockMs: number | undefined): Promise<SaveResult[]> {
    let changes: RunChange[] = [];
    const results = await this.db.transaction(async (tx) => {
      const held = await lockHeld(tx, all);
      const [first] = held.values();
      if (first === undefined) return all.map((): SaveResult => 'released');
      const { now } = first;
      await noteDeletions(tx, all, held);
      const standing = all.flatMap((progress) => {
        const row = held.get(progress.run.uuid);
        return row === undefined ? [] : [endIfCanceled(progress, row, now)];
      });
      const { progress: ours, finish } = await arriveAtWaits(tx, now, this.waits, standing);
      await saveSteps(
        tx,
        ours.flatMap(({ run, step, then }) => [
          ...(step === undefined ? [] : [{ run, step }]),
          ...(then.kind === 'next' ? [{ run, step: then.step }] : []),
        ]),
        this.queue.stored,
      );
      await forgetLostWorkers(
        tx,
        ours.filter(({ then }) => then.kind === 'next'),
      );
      const left = ours.filter(({ then }) => then.kind !== 'next');
      changes = await saveRuns(
        tx,
        left.map(({ run, then }) => rowAfter({ ...run, version: held.get(run.uuid)!.version }, 'running', then, now)),
      );
      await publishRunChanges(this.notifications, tx, changes);
      await finish();
      await this.settle(tx, left);
      const going = new Set(ours.filter(({ then }) => then.kind === 'next').map(({ run }) => run.uuid));
      return all.map(({ run }): SaveResult => (going.has(run.uuid) ? 'continue' : 'released'));
    }, lockMs);
    this.tally.count(changes);
    return results;
  }

  /** Settles the jobs of runs that leave this worker, and queues those again that it hands back. */
  private async settle(tx: Transaction, left: readonly Progress[]): Promise<void> {
    await this.queue.done(
      tx,
      left.map(({ run }) => run.job),
    );
    const handedBack = left.filter(({ then }) => then.kind === 'handBack').map(({ run }) => run);
    await this.queue.add(tx, handedBack);
    if (handedBack.length > 0) tx.afterCommit(() => this.queue.announce());
  }
}

/** Locks the runs that still have this worker's claim, in id order. */
async function lockHeld(tx: Transaction, all: readonly Progress[]): Promise<Map<string, HeldRun>> {
  const sorted = all.map(({ run }) => run).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const rows = await tx.query<HeldRun>(
    `SELECT clock_now() AS now, r.id AS uuid, r.version, r.cancel_requested AS "cancelRequested",
            NOT EXISTS (SELECT 1 FROM workflows w WHERE w.id = r.workflow_id) AS "workflowGone"
     FROM unnest($1::uuid[], $2::uuid[]) held (id, claim) JOIN runs r ON r.id = held.id AND r.claim = held.claim
     WHERE r.id >= $3 AND r.id <= $4 AND r.status = 'running'
     ORDER BY r.id FOR NO KEY UPDATE OF r`,
    [sorted.map(({ uuid }) => uuid), sorted.map(({ claim }) => claim), sorted[0]!.uuid, sorted.at(-1)!.uuid],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/**
 * The deletion of a workflow skips runs that are being saved. A run that starts to wait here would then wait forever,
 * so its workflow is locked until the commit.
 */
async function noteDeletions(
  tx: Transaction,
  all: readonly Progress[],
  held: ReadonlyMap<string, HeldRun>,
): Promise<void> {
  const waiting = all.filter(
    ({ run, then }) => (then.kind === 'resume' || then.kind === 'await') && held.has(run.uuid),
  );
  if (waiting.length === 0) return;
  const rows = await tx.query<{ id: string }>(`SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`, [
    [...new Set(waiting.map(({ run }) => run.workflowUuid))],
  ]);
  const present = new Set(rows.map(({ id }) => id));
  for (const { run } of waiting) held.get(run.uuid)!.workflowGone ||= !present.has(run.workflowUuid);
}

/**
 * Ends a run whose cancellation was requested, whatever its step came to: the client was told that it is canceled. Ends a run
 * whose workflow is deleted, too, unless it ends anyway.
 */
function endIfCanceled(progress: Progress, { cancelRequested, workflowGone }: HeldRun, now: Date): Progress {
  const { run, step, then } = progress;
  if (!cancelRequested && (then.kind === 'end' || !workflowGone)) return progress;
  // A condition that stopped the run is evaluated again by a retry, which would otherwise go on behind it.
  const hasStopped = then.kind === 'end' && then.status === 'succeeded' && step?.index !== run.actions.length - 1;
  const isCut = step?.status === 'running' || (step?.status === 'succeeded' && hasStopped);
  return {
    ...progress,
    step: step && isCut ? { ...step, status: 'failed', error: CANCELED, finishedAt: now } : step,
    then: { kind: 'end', status: 'canceled', ...(workflowGone && { reason: 'workflow_deleted' }) },
  };
}

/** A saved step proves that the run does not kill its workers at once, so the count starts again from 0. */
async function forgetLostWorkers(tx: Transaction, goingOn: readonly Progress[]): Promise<void> {
  const uuids = goingOn.filter(({ run }) => run.workersLost > 0).map(({ run }) => run.uuid);
  if (uuids.length > 0) await tx.query(`UPDATE runs SET workers_lost = 0 WHERE id = ANY($1)`, [uuids]);
}

function sizeOf(step: StepState | undefined): number {
  return step?.output?.bytes ?? 100;
}
