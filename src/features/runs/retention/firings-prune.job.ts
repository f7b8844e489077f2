import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { firingsEnd } from '../queue/firings.js';

const HOUR_MS = 3_600_000;

/** Deletes the deduplication keys of firings after 30 days. */
export function pruneFiringsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune firings',
    what: 'Deletes the deduplication keys of firings after 30 days.',
    everyMs: HOUR_MS,
    run: (signal) => prune(db, signal, { table: 'firings', column: 'created_at', until: firingsEnd(clock.now()) }),
  };
}
