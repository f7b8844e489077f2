import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { dropWeek, endOf, idsOf, listWeeks, type Week } from '../../../platform/partitions/weekly-partitions.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Drops the weekly partitions of runs and steps that ended more than `days` days ago. A partition with an open run
 * stays until that run has ended. A partition of payloads stays while a run, step or event refers to one of them, also
 * an event that a webhook may still receive: a run may refer to payloads up to a week older (`payloads.ts`). Processes
 * may run it concurrently.
 */
export function dropOldRunsJob(db: Database, clock: Clock, days: number): PeriodicJob {
  return {
    name: 'drop old runs',
    what: 'Drops the weekly partitions whose runs are older than `RUN_RETENTION_DAYS`.',
    everyMs: HOUR_MS,
    run: async () => {
      // Those of runs first: no query reads steps or payloads without their run.
      const weeks = await listWeeks(db, ['runs', 'payloads', 'steps']);
      const runs = new Set(weeks.filter(({ table }) => table === 'runs').map(({ day }) => day));
      for (const week of weeks) {
        if (endOf(week) > clock.now().getTime() - days * DAY_MS) continue;
        const { table, day } = week;
        if (table === 'runs') {
          if (!(await hasOpenRuns(db, week)) && (await dropWeek(db, week))) runs.delete(day);
        } else if (!runs.has(day) && !(table === 'payloads' && (await arePayloadsUsed(db, week)))) {
          await dropWeek(db, week);
        }
      }
    },
  };
}

async function hasOpenRuns(db: Database, week: Week): Promise<boolean> {
  const open = `SELECT 1 FROM runs WHERE id >= $1 AND id < $2 AND finished_at IS NULL LIMIT 1`;
  return (await db.query(open, idsOf(week))).length > 0;
}

/** Once this is false it stays false: retries share only younger payloads, and events those of their runs. */
async function arePayloadsUsed(db: Database, week: Week): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM runs WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM steps WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM event_fan_outs WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM event_arrivals WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM events WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM webhook_events WHERE payload_id >= $1 AND payload_id < $2 LIMIT 1`,
    idsOf(week),
  );
  return rows.length > 0;
}
