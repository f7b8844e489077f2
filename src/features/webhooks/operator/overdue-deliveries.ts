import { type Queryable } from '../../../platform/db/database.js';

/** The maximum number of counted rows. */
const COUNTED = 100_000;

/** Deliveries that are due, up to 100,000, and for how many seconds the first of them has been. */
export async function overdueDeliveries(on: Queryable, now: Date): Promise<{ due: number; seconds: number }> {
  const [row] = await on.query<{ due: number; since: Date | null }>(
    `SELECT count(*) AS due, min(at) AS since FROM (
       SELECT next_attempt_at AS at FROM webhook_deliveries WHERE next_attempt_at <= $1 LIMIT ${COUNTED}) d`,
    [now],
  );
  const { due, since } = row!;
  return { due, seconds: since === null ? 0 : Math.round((now.getTime() - since.getTime()) / 1_000) };
}
