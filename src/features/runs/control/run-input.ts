import { type Transaction } from '../../../platform/db/database.js';
import { validationError } from '../../../platform/errors.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { INLINE_BYTES, isShared, storedText } from '../../../platform/payloads.js';
import { unstorablePath } from '../../../platform/validation.js';

/**
 * The input of a manual run as JSON text, `null` without one. @throws AppError `validation_error` if PostgreSQL can't
 * store it.
 */
export function validateRunInput(input: unknown): string {
  const field = unstorablePath(input, 'input');
  if (field !== undefined) {
    throw validationError({ field, message: 'must not contain the NUL character or lone surrogates' });
  }
  return JSON.stringify(input ?? null);
}

/**
 * Prepares a run's input for sharing with a retry. A large input in the row (earlier versions stored them there) and an
 * input whose payload is too old move into a new payload.
 */
export async function shareInput(tx: Transaction, now: Date, run: string): Promise<void> {
  const [row] = await tx.query<{ payloadUuid: string | null; bytes: number | null }>(
    `SELECT payload_id AS "payloadUuid", coalesce(input_bytes, octet_length(input::text)) AS bytes FROM runs WHERE id = $1`,
    [run],
  );
  const { payloadUuid, bytes } = row!;
  const isFit = payloadUuid === null ? (bytes ?? 0) <= INLINE_BYTES : isShared(payloadUuid, now);
  if (isFit) return;
  await tx.query(
    `WITH moved AS (
       INSERT INTO payloads (id, account_id, body)
       SELECT $2, r.account_id, ${storedText('r.input', 'r.payload_id')} FROM runs r WHERE r.id = $1
       RETURNING octet_length(body) AS bytes)
     UPDATE runs SET payload_id = $2, input = NULL, input_bytes = moved.bytes FROM moved WHERE runs.id = $1`,
    [run, newUuid(now)],
  );
}
