import { type Attacker } from './attacker.js';

/** Ids and times of rows created one after another within the last hours. */
const ID = `(lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || substr(md5($1 || i), 1, 15))::uuid`;
const MOMENTS = `generate_series(1, $2::int) i,
  LATERAL (SELECT (extract(epoch FROM now()) * 1000)::bigint - ($2::int - i) * 40::bigint AS ms) t`;

/** Inserts runs of the account, of which one in a thousand failed, unless it has any. */
export async function giveRuns({ db, side, size }: Attacker, count: number): Promise<void> {
  const { rows } = await db.query<{ id: string }>('SELECT id FROM runs WHERE account_id = $1 LIMIT 1', [
    side.accountUuid,
  ]);
  if (rows.length > 0) return;
  await db.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, input, error, created_at, started_at, finished_at)
     SELECT ${ID}, $1::uuid, $1::uuid, 'webhook', CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'succeeded' END, '1',
            CASE WHEN i % 1000 = 0 THEN '{"code":"http_error","message":"x"}'::json END,
            to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
     FROM ${MOMENTS}`,
    [side.accountUuid, Math.ceil(count * size)],
  );
  await db.query('ANALYZE runs');
}

/** Inserts workflows of the account. */
export async function giveWorkflows({ db, side, size }: Attacker, count: number): Promise<void> {
  await db.query(
    `INSERT INTO workflows (id, account_id, name, description, status, run_count, created_at, updated_at)
     SELECT ${ID}, $1::uuid, 'Workflow ' || i, 'Sends what comes in to where it belongs.', 'draft', 0,
            to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
     FROM ${MOMENTS}`,
    [side.accountUuid, Math.ceil(count * size)],
  );
  await db.query('ANALYZE workflows');
}
