import { type Queryable } from '../../../src/platform/db/database.js';
import { fromPublicId, newUuid, toPublicId } from '../../../src/platform/ids/ids.js';

let index = 100;

/** A pending wait of a run, for services without a worker. @returns its id, and the id of its change. */
export async function pendingWait(
  db: Queryable,
  run: string,
  kind = 'callback',
): Promise<{ wait: string; waitChange: string }> {
  const now = new Date();
  const [wait, change] = [newUuid(now), newUuid(now)];
  await db.query(
    `WITH r AS (SELECT * FROM runs WHERE id = $3),
     counted AS (
       INSERT INTO wait_counters AS c (account_id, position, pending) SELECT account_id, 1, 1 FROM r
       ON CONFLICT (account_id) DO UPDATE SET position = c.position + 1, pending = c.pending + 1
       RETURNING account_id, position),
     made AS (
       INSERT INTO waits (id, account_id, workflow_id, run_id, step_index, step, kind, title, integration_type, reference, status,
                          is_test, hops, created_at, expires_at)
       SELECT $1, account_id, workflow_id, id, $4, 'paid', $6, CASE WHEN $6 = 'approval' THEN 'Refund' END,
              CASE WHEN $6 = 'connection' THEN 'sandbox_api_key' END, CASE WHEN $6 = 'connection' THEN 'user-1' END,
              'pending', false, 0, $5::timestamptz, $5::timestamptz + interval '7 days'
       FROM r)
     INSERT INTO wait_changes (id, account_id, wait_id, run_id, kind, position, previous_status, status, at)
     SELECT $2, account_id, $1, $3, $6, position, NULL, 'pending', $5::timestamptz FROM counted`,
    [wait, change, fromPublicId('run', run), (index += 1), now, kind],
  );
  return { wait: toPublicId('wait', wait), waitChange: toPublicId('wch', change) };
}
