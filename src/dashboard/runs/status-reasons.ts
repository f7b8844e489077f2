import { inWords } from '../ui/in-words.js';

/** The reasons of skipped and ended runs: a sentence for each of the service's values. */
const SENTENCES: Readonly<Record<string, string>> = {
  workflow_not_active: 'The workflow was not active when the trigger fired.',
  trigger_paused: 'The trigger was paused when it fired.',
  trigger_error: 'The trigger was in error: its connection was not connected.',
  integration_not_connected: 'The event came from a connection that was not connected.',
  loop: 'Stopped as a loop: five runs in a row had already fired each other.',
  missed: 'The service was not running at the scheduled time, or the account had stored as much as it may.',
  workflow_deleted: 'The workflow was deleted while the run was in progress.',
  worker_lost: 'The process that executed it ended unexpectedly several times.',
};

/** The sentence for the reason of a run's status; an unknown reason is shown unchanged. */
export function runReason(reason: string): string {
  return (Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason] : undefined) ?? `${inWords(reason)}.`;
}
