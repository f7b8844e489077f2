import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { timeOf } from '../../platform/ids/ids.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any transaction: every reference to a list that was replaced before is committed and visible. */
const SETTLED_MS = DAY_MS;
/** Rows of `action_lists` that one statement checks. */
const PAGE = 500;
/** Runs of one workflow that one statement reads. A workflow with more keeps unused lists until its runs are pruned. */
const QUIET_RUNS = 200;

/** A list that an earlier version cleared has no successor; `updated_at` is then an upper bound of the time of its replacement. */
const PRUNE = `
  WITH page AS MATERIALIZED (SELECT id, workflow_id FROM action_lists WHERE id > $1 ORDER BY id LIMIT $4),
  ends AS (
    SELECT p.id, p.workflow_id, coalesce(successor.created_at, w.updated_at) AS at
    FROM page p JOIN workflows w ON w.id = p.workflow_id
    LEFT JOIN LATERAL (
      SELECT l.created_at FROM action_lists l WHERE l.workflow_id = p.workflow_id AND l.id > p.id
      ORDER BY l.id LIMIT 1) successor ON true
    WHERE w.actions_id IS DISTINCT FROM p.id),
  replaced AS MATERIALIZED (SELECT id, workflow_id, at FROM ends WHERE at < $2),
  used AS MATERIALIZED (
    SELECT d.workflow_id, array_agg(r.actions_id) AS lists, count(*) > ${QUIET_RUNS} AS busy
    FROM (SELECT DISTINCT workflow_id FROM replaced) d, LATERAL (
      SELECT actions_id FROM runs WHERE runs.workflow_id = d.workflow_id LIMIT ${QUIET_RUNS + 1}) r
    GROUP BY d.workflow_id),
  pruned AS (
    DELETE FROM action_lists l USING replaced s WHERE l.id = s.id AND (s.at < $3 OR NOT EXISTS (
      SELECT 1 FROM used u WHERE u.workflow_id = s.workflow_id AND (u.busy OR s.id = ANY (u.lists)))))
  SELECT id AS last FROM page ORDER BY id DESC LIMIT 1`;

/**
 * Deletes action lists that were replaced more than a day ago and that no run refers to. Runs need their list: a retry
 * compares it with the current one. A run refers to the list that its workflow had when the run was created, so lists
 * replaced before the oldest run need no check. Walks the table in pages; any number of processes may run it at once.
 */
export function pruneActionListsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune action lists',
    what: 'Deletes action lists that were replaced more than a day ago and that no run refers to.',
    everyMs: 6 * HOUR_MS,
    run: async (signal) => {
      const now = clock.now().getTime();
      const settled = now - SETTLED_MS;
      const [oldest] = await db.query<{ id: string }>(`SELECT id FROM runs ORDER BY id LIMIT 1`);
      // A day earlier, because each process has a clock of its own.
      const forgotten = oldest === undefined ? settled : Math.min(settled, timeOf(oldest.id).getTime() - DAY_MS);
      const moments = [new Date(settled), new Date(forgotten)];
      let last = '00000000-0000-0000-0000-000000000000';
      await inBatches({ size: PAGE, signal }, async (limit) => {
        const rows = await db.query<{ last: string }>(PRUNE, [last, ...moments, limit]);
        last = rows[0]?.last ?? last;
        return rows.length > 0;
      });
    },
  };
}
