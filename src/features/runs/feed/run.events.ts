import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type Transaction } from '../../../platform/db/database.js';
import { isFinished } from '../run-status.js';
import { sendRunChanges } from '../queue/runs-changed.js';
import { type RunChange } from '../queue/runs-changed.js';
import { recordLateChanges } from './late-changes.js';
import { recordEndedRuns } from '../run-webhook.js';

/**
 * Publishes changes to all processes at the commit. Stores what a listener needs to resume, and records webhook events for
 * ended runs.
 */
export async function publishRunChanges(
  notifications: Notifications,
  tx: Transaction,
  changes: readonly RunChange[],
): Promise<void> {
  await sendRunChanges(notifications, tx, changes);
  await recordLateChanges(tx, changes);
  const ended = changes.filter(({ to }) => isFinished(to));
  await recordEndedRuns(tx, new Date(changes[0]?.at ?? 0), ended);
}
