import { type Transaction } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { firingsEnd } from '../queue/firings.js';

/**
 * Claims the key of a skipped firing for the run that retries it, so that the key fires once, by a retry or by another
 * post. The workflow must be locked, as every firing locks it. @throws AppError `conflict` if the key has fired.
 */
export async function claimKey(
  tx: Transaction,
  now: Date,
  { triggerUuid, key, runUuid }: { triggerUuid: string; key: string; runUuid: string },
): Promise<void> {
  const [fired] = await tx.query<{ runUuid: string }>(
    `SELECT run_id AS "runUuid" FROM firings WHERE trigger_id = $1 AND key = $2 AND created_at > $3`,
    [triggerUuid, key, firingsEnd(now)],
  );
  if (fired !== undefined) {
    const message = `The event of the run has fired already: it is that of ${toPublicId('run', fired.runUuid)}.`;
    throw new AppError('conflict', message);
  }
  await tx.query(
    `INSERT INTO firings (trigger_id, key, run_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (trigger_id, key) DO UPDATE SET run_id = excluded.run_id, created_at = excluded.created_at`,
    [triggerUuid, key, runUuid, now],
  );
}
