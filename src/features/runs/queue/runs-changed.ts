import { type Transaction } from '../../../platform/db/database.js';
import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { type RunStatus } from '../run-status.js';

/** A change of a run's status, in the form that processes exchange. */
export interface RunChange {
  run: string;
  account: string;
  workflow: string;
  from: RunStatus | null;
  to: RunStatus;
  version: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** Changes of runs, several per message. */
export const runsChanged = defineTopic<RunChange[]>('runs_changed');

/** A NOTIFY payload must have less than 8,000 bytes; a change has at most 250. */
const CHANGES_PER_MESSAGE = 30;

/** Hints at changes after the commit. */
export function sendRunChanges(notifications: Notifications, tx: Transaction, changes: readonly RunChange[]): void {
  const messages: RunChange[][] = [];
  for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE) {
    messages.push(changes.slice(from, from + CHANGES_PER_MESSAGE));
  }
  notifications.publish(tx, runsChanged, ...messages);
}
