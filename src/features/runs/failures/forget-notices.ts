import { type Queryable } from '../../../platform/db/database.js';

/** Deletes the notices of a restored database that wait for their mails, which may have been sent. @returns their number. */
export async function forgetNotices(on: Queryable): Promise<number> {
  const [forgotten] = await on.query<{ total: number }>(
    `WITH forgotten AS (DELETE FROM failure_notices RETURNING 1) SELECT count(*) AS total FROM forgotten`,
  );
  return forgotten!.total;
}
