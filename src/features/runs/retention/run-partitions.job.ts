import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { ensurePartitions } from '../../../platform/partitions/weekly-partitions.js';

/** Runs daily, so that partitions always exist weeks ahead. */
export function createPartitionsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'create weekly partitions',
    what: 'Creates the weekly partitions of runs, steps, payloads and events, eight weeks ahead.',
    everyMs: 86_400_000,
    run: () => ensurePartitions(db, clock.now()),
  };
}
