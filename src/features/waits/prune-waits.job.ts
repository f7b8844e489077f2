import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { MIN_UUID } from '../../platform/ids/ids.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long changes are kept: a listener may resume behind any of them. */
const CHANGES_MS = 30 * DAY_MS;
/** Rows that one statement checks. */
const PAGE = 1_000;

/** SQL that deletes waits of a page whose runs are gone. */
const WAITS = `
  WITH page AS MATERIALIZED (SELECT id, run_id FROM waits WHERE id > $1 ORDER BY id LIMIT $2),
  pruned AS (
    DELETE FROM waits w USING page p WHERE w.id = p.id AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = p.run_id))
  SELECT id AS last FROM page ORDER BY id DESC LIMIT 1`;

/**
 * SQL that deletes changes of a page whose waits are gone. A listener of a single wait begins with its latest change,
 * however old that is. The ids of changes ascend with their times. OFFSET keeps the planner from reading all waits at once.
 */
const CHANGES = `
  WITH page AS MATERIALIZED (SELECT id, wait_id, at FROM wait_changes WHERE id > $1 ORDER BY id LIMIT $2),
  pruned AS (
    DELETE FROM wait_changes c USING page p
    WHERE c.id = p.id AND p.at <= $3 AND NOT EXISTS (SELECT 1 FROM waits w WHERE w.id = p.wait_id OFFSET 0))
  SELECT id AS last FROM (SELECT * FROM page ORDER BY id DESC LIMIT 1) end_of_page WHERE at <= $3`;

/** Deletes the waits of runs that are not stored any more, and their changes after 30 days. */
export function pruneWaitsJobs(db: Database, clock: Clock): PeriodicJob[] {
  return [
    {
      name: 'prune waits',
      what: 'Deletes waits whose runs have been deleted.',
      everyMs: 6 * HOUR_MS,
      run: (signal) => walk(db, signal, WAITS),
    },
    {
      name: 'prune wait changes',
      what: 'Deletes the changes of deleted waits after 30 days.',
      everyMs: 6 * HOUR_MS,
      run: (signal) => walk(db, signal, CHANGES, new Date(clock.now().getTime() - CHANGES_MS)),
    },
  ];
}

/**
 * Walks a table by its primary key, so that each statement reads one page. A search for rows to delete would read all that
 * are kept, which may be millions. The statement returns no `last` at the end.
 */
async function walk(
  db: Database,
  signal: AbortSignal | undefined,
  statement: string,
  ...values: Date[]
): Promise<void> {
  let last = MIN_UUID;
  await inBatches({ size: PAGE, signal }, async (limit) => {
    const rows = await db.query<{ last: string }>(statement, [last, limit, ...values]);
    last = rows[0]?.last ?? last;
    return rows.length > 0;
  });
}
