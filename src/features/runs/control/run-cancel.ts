import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { missing } from '../../../platform/db/missing.js';
import { AppError } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { type Run } from '../run.entity.js';
import { cancelRuns } from './run-ending.js';
import { publishRunChanges } from '../feed/run.events.js';
import { selectRun } from '../run.service.js';

/** Ends runs before their time. */
export class RunCancel {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Ends a run that nobody carries out, also one that waits, at once; one that a worker holds ends after its step. Asked
   * again meanwhile it changes nothing.
   * @throws AppError `not_found`, `unauthorized`; `conflict` when it is over.
   */
  async cancel({ accountId }: RequestContext, id: string): Promise<Run> {
    const uuid = fromPublicId('run', id);
    return this.db.transaction(async (tx) => {
      const [held] = uuid
        ? await tx.query<{ status: RunStatus; claim: string | null }>(
            `SELECT status, claim FROM runs WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
            [uuid, accountId],
          )
        : [];
      if (held === undefined) throw await missing(tx, 'runs', uuid);
      if (isFinished(held.status)) throw new AppError('conflict', `The run is over: it is ${held.status}.`);
      if (held.claim !== null) {
        await tx.query(`UPDATE runs SET cancel_requested = true WHERE id = $1`, [uuid]);
      } else {
        const changes = await cancelRuns(tx, this.clock.now(), [uuid!], null);
        await publishRunChanges(this.notifications, tx, changes);
      }
      return (await selectRun(tx, accountId, uuid!))!;
    });
  }
}
