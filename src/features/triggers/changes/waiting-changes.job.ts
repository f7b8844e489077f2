import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type Platform } from '../../../platform/platform.js';
import { waitingChanges } from './waiting-changes.js';

/** Records the waiting events of changes of many triggers. Processes may run it concurrently. */
export function waitingChangesJob({ db, stored, logger }: Platform): PeriodicJob {
  const changes = waitingChanges(db, logger, (account) => stored.isFull(account));
  return {
    name: 'fan trigger changes out',
    what: 'Records the remaining webhook events when the end or return of a connection changes many triggers.',
    everyMs: 1_000,
    run: (signal) => changes.run(signal),
  };
}
