import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { dropWeeksBefore } from '../../../platform/partitions/weekly-partitions.js';
import { KEPT_DAYS } from '../record-events.js';

const HOUR_MS = 3_600_000;

/** Drops the weekly partitions of the log whose events are older than 30 days. */
export function dropEventsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'drop old events',
    what: 'Drops the weekly partitions of the log whose events are older than 30 days.',
    everyMs: HOUR_MS,
    run: () => dropWeeksBefore(db, 'events', clock.now().getTime() - KEPT_DAYS * 24 * HOUR_MS),
  };
}
