import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { notFoundOrForeign } from '../../../platform/db/not-found-or-foreign.js';
import { AppError } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
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
    const uuid = fromPublicId('run', id);
    return this.db.transaction(async (tx) => {
      const [locked] = uuid
        ? await tx.query<{ status: RunStatus; claim: string | null }>(
            `SELECT status, claim FROM runs WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
            [uuid, accountId],
          )
        : [];
      if (locked === undefined) throw await notFoundOrForeign(tx, 'runs', uuid);
      if (isFinished(locked.status)) throw new AppError('conflict', `The run has ended: it is ${locked.status}.`);
      if (locked.claim !== null) {
        await tx.query(`UPDATE runs SET cancel_requested = true WHERE id = $1`, [uuid]);
      } else {
        const changes = await cancelRuns(tx, this.clock.now(), [uuid!], null);
        await publishRunChanges(this.notifications, tx, changes);
      }
      return (await selectRun(tx, accountId, uuid!))!;
    });
  }
}
