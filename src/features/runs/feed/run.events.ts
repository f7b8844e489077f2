import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { type Transaction } from '../../../platform/db/database.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { recordEndedRuns } from '../run-webhook.js';

/** A change of a run's status, as it travels between processes. */
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

/** Several changes at once: one message per write of many runs, since each takes a lock of the whole database. */
export const runsChanged = defineTopic<RunChange[]>('runs.changed');

/** PostgreSQL takes payloads of less than 8,000 bytes; a change takes at most 250. */
const CHANGES_PER_MESSAGE = 30;

/** Tells every process, at the commit, by one statement; and the webhooks of those that have ended. */
export async function publishRunChanges(
  notifications: Notifications,
  tx: Transaction,
  changes: readonly RunChange[],
): Promise<void> {
  const messages: RunChange[][] = [];
  for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE) {
    messages.push(changes.slice(from, from + CHANGES_PER_MESSAGE));
  }
  await notifications.publishAll(tx, runsChanged, messages);
  const ended = changes.filter(({ to }) => isFinished(to));
  await recordEndedRuns(tx, new Date(changes[0]?.at ?? 0), ended);
}
