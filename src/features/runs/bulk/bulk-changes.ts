import { type ChangeFeed } from '../../../platform/changes/change-feed.js';
import { ChangeLog } from '../../../platform/changes/change-log.js';
import { type Transaction } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { BulkChange } from './bulk-change.entity.js';
import { type BulkOperation } from './bulk-operation.entity.js';

/** A bulk operation of the account changed: its changes up to `position` are committed. */
const bulkChanged = defineTopic<{ accountId: string; position: number }>('bulk_changed');

/** The numbered changes of bulk operations. */
export const bulkChanges = new ChangeLog({
  entity: BulkChange,
  table: 'bulk_changes',
  counter: { table: 'bulk_counters', key: 'account_id', column: 'position' },
  topic: bulkChanged,
});

/** Delivers the changes of bulk operations. */
export type BulkFeed = ChangeFeed<BulkChange>;

const RECORD = `
  WITH n AS (
    INSERT INTO bulk_counters AS c (account_id, position) VALUES ($2, 1)
    ON CONFLICT (account_id) DO UPDATE SET position = c.position + 1 RETURNING position)
  INSERT INTO bulk_changes (id, account_id, bulk_id, position, kind, status, matched, done, failed, created_at, at)
  SELECT $1, $2, $3, n.position, $4, $5, $6, $7, $8, $9, $10 FROM n RETURNING position`;

/**
 * Records the state of an operation. Call it last in the transaction: the counter locks the account's operations until
 * the commit, so that changes of one account commit in the order of their positions.
 */
export async function recordBulkChange(
  tx: Transaction,
  notifications: Notifications,
  now: Date,
  { uuid, accountId, kind, status, matched, done, failed, createdAt }: BulkOperation,
): Promise<void> {
  const values = [newUuid(now), accountId, uuid, kind, status, matched, done, failed, createdAt, now];
  const [change] = await tx.query<{ position: number }>(RECORD, values);
  notifications.publish(tx, bulkChanged, { accountId, position: change!.position });
}
