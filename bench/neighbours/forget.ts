import type pg from 'pg';

/** Clears pending work, so that the next service starts without it, and what it would leave to autovacuum. */
export async function forget(db: pg.Client): Promise<void> {
  await db.query(`DELETE FROM event_fan_outs`);
  await db.query(`DELETE FROM pgboss.job`);
  await db.query(
    `UPDATE runs SET status = 'canceled', finished_at = now(), resume_at = NULL WHERE finished_at IS NULL`,
  );
  await db.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL`,
  );
  await db.query(`UPDATE mails SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL`);
  await db.query(`VACUUM (ANALYZE) runs, steps, pgboss.job`);
}
