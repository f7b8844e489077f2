import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type Transaction } from '../../../platform/db/database.js';
import { sendRunChanges } from '../queue/runs-changed.js';
import { type RunChange } from '../queue/runs-changed.js';
import { recordLateChanges } from './late-changes.js';
import { isReported, recordRunEvents } from '../run-webhook.js';

/**
 * Hints at changes in all processes after the commit. Stores what a listener needs to resume, and records webhook events for
 * runs that end or wait.
 */
export async function publishRunChanges(
  notifications: Notifications,
  tx: Transaction,
  changes: readonly RunChange[],
): Promise<void> {
  sendRunChanges(notifications, tx, changes);
  await recordLateChanges(tx, changes);
  const reported = changes.filter(({ to }) => isReported(to));
  await recordRunEvents(tx, new Date(changes[0]?.at ?? 0), reported);
}
