import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { inBatches, prune } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long changes are kept: a listener may resume behind any of them. */
const CHANGES_MS = 30 * DAY_MS;
/** Waits that one statement checks. */
const PAGE = 1_000;

/** Walks the table by its primary key, so that each statement reads one page. */
const PRUNE = `
  WITH page AS MATERIALIZED (SELECT id, run_id FROM waits WHERE id > $1 ORDER BY id LIMIT $2),
  pruned AS (
    DELETE FROM waits w USING page p WHERE w.id = p.id AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = p.run_id))
  SELECT id AS last FROM page ORDER BY id DESC LIMIT 1`;

/** A listener of a single wait begins with its latest change, however old that is. */
const IS_GONE = 'NOT EXISTS (SELECT 1 FROM waits w WHERE w.id = wait_changes.wait_id)';

/** Deletes the waits of runs that are not stored any more, and their changes after 30 days. */
export function pruneWaitsJobs(db: Database, clock: Clock): PeriodicJob[] {
  return [
    {
      name: 'prune waits',
      what: 'Deletes waits whose runs have been deleted.',
      everyMs: 6 * HOUR_MS,
      run: async (signal) => {
        let last = '00000000-0000-0000-0000-000000000000';
        await inBatches({ size: PAGE, signal }, async (limit) => {
          const rows = await db.query<{ last: string }>(PRUNE, [last, limit]);
          last = rows[0]?.last ?? last;
          return rows.length > 0;
        });
      },
    },
    {
      name: 'prune wait changes',
      what: 'Deletes the changes of deleted waits after 30 days.',
      everyMs: HOUR_MS,
      run: (signal) => {
        const until = new Date(clock.now().getTime() - CHANGES_MS);
        return prune(db, signal, { table: 'wait_changes', column: 'at', until, where: IS_GONE });
      },
    },
  ];
}
