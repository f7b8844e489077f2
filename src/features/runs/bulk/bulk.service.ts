import { type RequestContext } from '../../../platform/context.js';
import { type Clock } from '../../../platform/clock.js';
import { followChanges } from '../../../platform/changes/follow-changes.js';
import { STREAM_BATCH } from '../../../platform/changes/change-log.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { BulkChange } from './bulk-change.entity.js';
import { type BulkFeed, recordBulkChange } from './bulk-changes.js';
import { BulkOperation } from './bulk-operation.entity.js';

const CHANGES = `SELECT ${columnsOf(BulkChange, 'c')} FROM bulk_changes c WHERE c.bulk_id = $1 AND c.position > $2
  ORDER BY c.position LIMIT ${STREAM_BATCH}`;

/** Reads, follows and cancels bulk operations. */
export class BulkService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly feed: BulkFeed,
  ) {}

  /** @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  get({ accountId }: RequestContext, id: string): Promise<BulkOperation> {
    return findOwned(this.db, { table: 'bulk_operations', accountId, id }, BulkOperation);
  }

  /**
   * Waits for a batch that is under way, then ends the operation. On an ended one it changes nothing.
   * @throws AppError `not_found`, `unauthorized`.
   */
  cancel({ accountId }: RequestContext, id: string): Promise<BulkOperation> {
    return this.db.transaction(async (tx) => {
      const row = { table: 'bulk_operations', accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
      const operation = await findOwned(tx, row, BulkOperation);
      if (operation.status !== 'running') return operation;
      await tx.query(`UPDATE bulk_operations SET status = 'canceled' WHERE id = $1`, [operation.uuid]);
      await tx.query(`DELETE FROM bulk_items WHERE bulk_id = $1`, [operation.uuid]);
      const canceled = Object.assign(operation, { status: 'canceled' as const });
      await recordBulkChange(tx, this.notifications, this.clock.now(), canceled);
      return canceled;
    });
  }

  /** The latest state at once, then the state after each batch, until the end. @throws AppError as `get` does. */
  changes(context: RequestContext, id: string): Promise<AsyncIterable<BulkChange>> {
    const { accountId } = context;
    return followChanges(this.feed, context, async () => {
      const { uuid, status, last } = await findOwned<{ uuid: string; status: string; last: number }>(
        this.db,
        { table: 'bulk_operations', accountId, id },
        `id AS uuid, status, (SELECT max(position) FROM bulk_changes WHERE bulk_id = bulk_operations.id) AS last`,
      );
      return {
        cursor: last - 1,
        placeOf: ({ position }) => position,
        matches: ({ bulkUuid }) => bulkUuid === uuid,
        read: (position) => this.db.select(BulkChange, CHANGES, [uuid, position]),
        isOver: status !== 'running',
        isLast: (change) => change.status !== 'running',
      };
    });
  }
}
