import { type Transaction } from '../../../platform/db/database.js';
import { validationError } from '../../../platform/errors.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { INLINE_BYTES, storedText } from '../../../platform/payloads.js';
import { unstorablePath } from '../../../platform/validation.js';

/**
 * New runs share payloads that are younger. An older one is copied, so that weeks of payloads go soon after the runs of
 * their week, however often a run is retried.
 */
const SHARED_MS = 7 * 86_400_000;

/** The column's text of what a person hands a run; null when nothing. @throws AppError `validation_error` where it can't be stored. */
export function validateRunInput(input: unknown): string {
  const field = unstorablePath(input, 'input');
  if (field !== undefined) {
    throw validationError({ field, message: 'must not contain the NUL character or lone surrogates' });
  }
  return JSON.stringify(input ?? null);
}

/**
 * Makes a run's input one that a retry may refer to: moves it into a payload of its own where it stands in the row,
 * as large ones of earlier versions do, or where its payload is old.
 */
export async function shareInput(tx: Transaction, now: Date, run: string): Promise<void> {
  const [row] = await tx.query<{ payloadUuid: string | null; bytes: number | null }>(
    `SELECT payload_id AS "payloadUuid", coalesce(input_bytes, octet_length(input::text)) AS bytes FROM runs WHERE id = $1`,
    [run],
  );
  const { payloadUuid, bytes } = row!;
  const isFit =
    payloadUuid === null ? (bytes ?? 0) <= INLINE_BYTES : timeOf(payloadUuid).getTime() > now.getTime() - SHARED_MS;
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
