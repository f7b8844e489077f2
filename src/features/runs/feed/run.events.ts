import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { type Transaction } from '../../../platform/db/database.js';
import { isFinished } from '../run-status.js';
import { type RunChange } from './run-change.js';
import { recordLateChanges } from './late-changes.js';
import { recordEndedRuns } from '../run-webhook.js';

/** Changes of runs, several per message: each NOTIFY takes a lock on the whole database. */
export const runsChanged = defineTopic<RunChange[]>('runs_changed');

/** A NOTIFY payload must have less than 8,000 bytes; a change has at most 250. */
const CHANGES_PER_MESSAGE = 30;

/**
 * Publishes changes to all processes at the commit, with one statement. Stores what a listener needs to resume, and
 * records webhook events for ended runs.
 */
export async function publishRunChanges(
  notifications: Notifications,
  tx: Transaction,
  changes: readonly RunChange[],
): Promise<void> {
  const messages: RunChange[][] = [];
  for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE) {
    messages.push(changes.slice(from, from + CHANGES_PER_MESSAGE));
  }
  await notifications.send(tx, runsChanged, messages);
  await recordLateChanges(tx, changes);
  const ended = changes.filter(({ to }) => isFinished(to));
  await recordEndedRuns(tx, new Date(changes[0]?.at ?? 0), ended);
}
