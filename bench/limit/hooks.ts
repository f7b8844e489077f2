import { type Pool } from 'pg';
import { newUuid, timeOf, toPublicId } from '../../src/platform/ids/ids.js';
import { RUN_QUEUE } from '../../src/features/runs/queue/run-queue.js';
import { sha256 } from '../../src/platform/encryption/secrets.js';

/** Reads trigger and workflow, counts, stores the run and queues its job: the whole request in one statement. */
const FIRE = `
  WITH state AS (
    SELECT t.id, t.account_id, t.workflow_id, t.type, w.actions_id,
           CASE WHEN w.status <> 'active' THEN 'workflow_not_active'
                WHEN t.status <> 'active' THEN 'trigger_' || t.status END AS reason
    FROM triggers t JOIN workflows w ON w.id = t.workflow_id WHERE t.hook_digest = $1),
  counted AS (
    UPDATE workflows SET run_count = run_count + 1 FROM state
    WHERE workflows.id = state.workflow_id AND state.reason IS NULL),
  queued AS (
    INSERT INTO pgboss.job (name, data, priority, group_id, retry_limit, expire_seconds, heartbeat_seconds)
    SELECT '${RUN_QUEUE.name}', json_build_object('run', $2::uuid), 0, account_id, 1000000, 21600, 10
    FROM state WHERE reason IS NULL)
  INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, status_reason, input, actions_id,
                    created_at, finished_at)
  SELECT $2, account_id, workflow_id, id, type, CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END, reason,
         $3::json, actions_id, $4::timestamptz, CASE WHEN reason IS NULL THEN NULL ELSE $4::timestamptz END
  FROM state RETURNING status_reason AS reason`;

/** `POST /hooks/{token}`; undefined for an unknown token. The body must be JSON. */
export async function fireHook(pool: Pool, token: string, body: string): Promise<unknown> {
  JSON.parse(body);
  const id = newUuid(new Date());
  const { rows } = await pool.query<{ reason: string | null }>({
    name: 'fire',
    text: FIRE,
    values: [sha256(token), id, body, timeOf(id)],
  });
  if (rows[0] === undefined) return undefined;
  const { reason } = rows[0];
  const run_id = toPublicId('run', id);
  return reason === null ? { accepted: true, run_id } : { accepted: false, run_id, reason };
}
