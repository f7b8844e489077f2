import type pg from 'pg';
import { boundRow, type Row } from '../report.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { type World } from '../world.js';

/** Measures schedules that are all due in the same minute: the time until the last one is queued. */
export async function measureSchedules(world: World, db: pg.Client, count: number): Promise<Row> {
  const minute = new Date(Math.ceil((Date.now() + 2_000) / 60_000) * 60_000);
  const ids = Array.from({ length: count }, () => newUuid(new Date()));
  await db.query(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, next_fire_at, created_at)
     SELECT t.id, w.account_id, w.id, 'schedule', '{"cron":"* * * * *"}', 'active', $2, now()
     FROM unnest($1::uuid[]) WITH ORDINALITY t (id, place)
     JOIN (SELECT id, account_id, row_number() OVER () AS place FROM workflows WHERE status = 'active' LIMIT 1000) w
       ON w.place = 1 + t.place % 1000`,
    [ids, minute],
  );
  const worker = await world.startService('worker');
  await new Promise((resolve) => setTimeout(resolve, minute.getTime() - Date.now()));
  const last = await lastQueued(db, ids, minute);
  await db.query('DELETE FROM triggers WHERE id = ANY($1)', [ids]);
  await worker.child.stop();
  const title = `${count.toLocaleString('en')} schedules of one minute, the last queued after`;
  return boundRow(title, (last.getTime() - minute.getTime()) / 1_000, 10, 's');
}

/** The time at which the last run of those triggers was created. */
async function lastQueued(db: pg.Client, ids: readonly string[], minute: Date): Promise<Date> {
  for (;;) {
    const { rows } = await db.query<{ count: number; last: Date }>(
      `SELECT count(DISTINCT trigger_id)::int AS count, max(created_at) AS last FROM runs
       WHERE trigger_id = ANY($1) AND created_at >= $2`,
      [ids, minute],
    );
    if (rows[0]!.count === ids.length) return rows[0]!.last;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
