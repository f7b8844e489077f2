import { type Transaction } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { INLINE_BYTES, SHARED_MS, storedText } from '../../../platform/payloads.js';

/**
 * Prepares the outputs of a run's first `steps` steps for sharing with a retry, in a transaction that has locked the
 * workflow: 49 of them may have 12 MB. A large one in its row, and one whose payload is too old, move into a new
 * payload. Large is what PostgreSQL stores, compressed, in more than `INLINE_BYTES`.
 */
export async function shareOutputs(tx: Transaction, now: Date, run: string, steps: number): Promise<void> {
  if (steps === 0) return;
  const found = await tx.query<{ index: number }>(
    `SELECT index FROM steps WHERE run_id = $1 AND index < $2
       AND CASE WHEN payload_id IS NULL THEN pg_column_size(output) > ${INLINE_BYTES} ELSE payload_id < $3 END`,
    [run, steps, lowestUuidAt(now.getTime() - SHARED_MS)],
  );
  if (found.length === 0) return;
  await tx.query(
    `WITH new AS (SELECT * FROM unnest($2::int[], $3::uuid[]) AS n (index, payload)),
     moved AS (
       INSERT INTO payloads (id, account_id, body)
       SELECT new.payload, s.account_id, ${storedText('s.output', 's.payload_id')}
       FROM steps s JOIN new USING (index) WHERE s.run_id = $1)
     UPDATE steps s SET payload_id = new.payload, output = NULL FROM new WHERE s.run_id = $1 AND s.index = new.index`,
    [run, found.map(({ index }) => index), found.map(() => newUuid(now))],
  );
}
