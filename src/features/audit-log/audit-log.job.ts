import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { dropWeeksBefore } from '../../platform/partitions/weekly-partitions.js';

const HOUR_MS = 3_600_000;
/** How long entries are kept, in milliseconds. */
export const AUDIT_KEPT_MS = 365 * 24 * HOUR_MS;

/** Drops the weekly partitions of the audit log whose entries are older than 365 days. */
export function dropAuditEntriesJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'drop old audit entries',
    what: 'Drops the weekly partitions whose audit entries are older than 365 days.',
    everyMs: HOUR_MS,
    run: () => dropWeeksBefore(db, 'audit_log', clock.now().getTime() - AUDIT_KEPT_MS),
  };
}
