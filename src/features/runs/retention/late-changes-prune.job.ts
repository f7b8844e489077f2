import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { RESUMABLE_MS } from '../feed/run-positions.js';

const HOUR_MS = 3_600_000;

/** Deletes stored changes of runs once no listener may resume before them. */
export function pruneLateChangesJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune late run changes',
    what: 'Deletes stored changes of runs after two days.',
    everyMs: HOUR_MS,
    run: (signal) => {
      const until = new Date(clock.now().getTime() - 2 * RESUMABLE_MS);
      return prune(db, signal, { table: 'late_run_changes', column: 'at', until });
    },
  };
}
