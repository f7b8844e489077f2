import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { type PeriodicJob } from '../jobs/periodic.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No transaction is open for so long, so what refers to a list replaced before it is visible. */
const SETTLED_MS = DAY_MS;
/** Runs are readable for 30 days, go by whole weeks, and may take 7 days: what refers to a list is gone by then. */
const FORGOTTEN_MS = 45 * DAY_MS;
/** Rows of `action_lists` looked at by one statement. */
const PAGE = 500;
/** Runs of one workflow that one statement reads; the unused lists of a busier workflow go when they are forgotten. */
const QUIET_RUNS = 200;

/** A list that was cleared has no successor; `updated_at` is then an upper bound of the moment. */
const PRUNE = `
  WITH page AS MATERIALIZED (SELECT id, workflow_id FROM action_lists WHERE id > $1 ORDER BY id LIMIT ${PAGE}),
  ends AS (
    SELECT l.id, l.workflow_id, (w.actions_id = l.id) IS TRUE AS current,
      coalesce(lead(l.created_at) OVER (PARTITION BY l.workflow_id ORDER BY l.id), w.updated_at) AS at
    FROM action_lists l JOIN workflows w ON w.id = l.workflow_id
    WHERE l.workflow_id IN (SELECT workflow_id FROM page)),
  replaced AS MATERIALIZED (
    SELECT e.id, e.workflow_id, e.at FROM ends e JOIN page USING (id) WHERE NOT e.current AND e.at < $2),
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
 * Deletes lists of actions that were replaced a day ago and that no run refers to; 45 days after, whatever refers to
 * them. Walks the table in pages. Any number of processes may do it at once.
 */
export function pruneActionLists(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune-action-lists',
    everyMs: 6 * HOUR_MS,
    run: async () => {
      const now = clock.now().getTime();
      const moments = [new Date(now - SETTLED_MS), new Date(now - FORGOTTEN_MS)];
      let last: string | undefined = '00000000-0000-0000-0000-000000000000';
      while (last !== undefined) {
        const rows: { last: string }[] = await db.query(PRUNE, [last, ...moments]);
        last = rows[0]?.last;
      }
    },
  };
}
