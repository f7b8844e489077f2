import { type Clock } from '../../../platform/clock.js';
import { actorId } from '../../../platform/graphql/actor.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { type Run } from '../run.entity.js';
import { lockRunsById } from './continue-runs.js';
import { cancelRuns } from './run-ending.js';
import { publishRunChanges } from '../feed/run.events.js';
import { selectRun } from '../run.service.js';
import { type RunWaits } from '../execution/run-waits.js';

/** The account of the runs, and the caller that cancels them, as `actorId` names it. */
export interface Canceling {
  accountId: string;
  actor: string | null;
}

/** Cancels runs on request. */
export class RunCancel {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly waits: Pick<RunWaits, 'cancel'>,
  ) {}

  /**
   * Cancels an unclaimed run (queued or waiting) at once, with its waits. A run that a worker has claimed ends after its current step;
   * until then, further calls change nothing.
   * @throws AppError `not_found`, `unauthorized`; `conflict` when the run has ended.
   */
  async cancel({ accountId, caller }: RequestContext, id: string): Promise<Run> {
    return this.db.transaction(async (tx) => {
      const row = { table: 'runs', accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
      const { uuid, status } = await findOwned<{ uuid: string; status: RunStatus }>(tx, row, 'id AS uuid, status');
      if (isFinished(status)) throw new AppError('conflict', `The run has ended: it is ${status}.`);
      await this.cancelIn(tx, { accountId, actor: actorId(caller) }, [uuid]);
      return (await selectRun(tx, accountId, uuid))!;
    });
  }

  /** Cancels those of the runs that have not ended, in the caller's transaction. @returns their uuids. */
  async cancelIn(tx: Transaction, { accountId, actor }: Canceling, runs: readonly string[]): Promise<string[]> {
    const locked = await lockRunsById(tx, runs);
    const open = [...locked.values()].filter((run) => run.accountId === accountId && !isFinished(run.status));
    const uuids = open.map(({ uuid }) => uuid);
    if (uuids.length === 0) return [];
    const claimed = await tx.query<{ uuid: string; isClaimed: boolean }>(
      `UPDATE runs SET canceled_by = coalesce(canceled_by, $2), cancel_requested = cancel_requested OR claim IS NOT NULL
       WHERE id = ANY($1) RETURNING id AS uuid, claim IS NOT NULL AS "isClaimed"`,
      [uuids, actor],
    );
    const unclaimed = new Set(claimed.filter(({ isClaimed }) => !isClaimed).map(({ uuid }) => uuid));
    const now = this.clock.now();
    const changes = await cancelRuns(tx, now, [...unclaimed], null);
    const waiting = open.filter(({ uuid, status }) => status === 'waiting' && unclaimed.has(uuid));
    await this.waits.cancel(
      tx,
      now,
      waiting.map(({ uuid }) => uuid),
    );
    await publishRunChanges(this.notifications, tx, changes);
    return uuids;
  }
}
