import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { waitingChanges } from './waiting-changes.js';

/** Records the waiting events of changes of many triggers. Processes may run it concurrently. */
export function waitingChangesJob(db: Database, logger: Logger): PeriodicJob {
  const changes = waitingChanges(db, logger);
  return {
    name: 'fan trigger changes out',
    what: 'Records the remaining webhook events when the end or return of a connection changes many triggers.',
    everyMs: 1_000,
    run: (signal) => changes.run(signal),
  };
}
