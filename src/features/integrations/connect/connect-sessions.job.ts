import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';

/** Deletes expired sessions; nothing depends on their rows. */
export function pruneConnectSessionsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune connect sessions',
    what: 'Deletes expired connect sessions.',
    everyMs: 600_000,
    run: (signal) => prune(db, signal, { table: 'connect_sessions', column: 'expires_at', until: clock.now() }),
  };
}
