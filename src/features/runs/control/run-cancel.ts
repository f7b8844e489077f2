import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { type Run } from '../run.entity.js';
import { cancelRuns } from './run-ending.js';
import { publishRunChanges } from '../feed/run.events.js';
import { selectRun } from '../run.service.js';

/** Cancels runs on request. */
export class RunCancel {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Cancels an unclaimed run (queued or waiting) at once. A run that a worker has claimed ends after its current step;
   * until then, further calls change nothing.
   * @throws AppError `not_found`, `unauthorized`; `conflict` when the run has ended.
   */
  async cancel({ accountId }: RequestContext, id: string): Promise<Run> {
    return this.db.transaction(async (tx) => {
      const { uuid, status, claim } = await findOwned<{ uuid: string; status: RunStatus; claim: string | null }>(
        tx,
        { table: 'runs', accountId, id, lock: 'FOR NO KEY UPDATE' },
        'id AS uuid, status, claim',
      );
      if (isFinished(status)) throw new AppError('conflict', `The run has ended: it is ${status}.`);
      if (claim !== null) {
        await tx.query(`UPDATE runs SET cancel_requested = true WHERE id = $1`, [uuid]);
      } else {
        const changes = await cancelRuns(tx, this.clock.now(), [uuid], null);
        await publishRunChanges(this.notifications, tx, changes);
      }
      return (await selectRun(tx, accountId, uuid))!;
    });
  }
}
