import { AppError } from '../../errors.js';
import { largestKeys } from '../../json/json-size.js';

/** The maximum size of the response to one request, in bytes. */
export const ANSWER_BYTES = 16_777_216;

/**
 * `value` is undefined if the limit was exceeded while rows were read. A `limit` below `ANSWER_BYTES` is that of a
 * response to keep.
 */
export function answerTooLarge(value?: unknown, limit = ANSWER_BYTES): AppError {
  const largest = value === undefined ? ['input', 'output', 'config'] : largestKeys(value, ANSWER_BYTES);
  const fields = largest.map((name) => `\`${name}\``).join(', ');
  const less = 'Request fewer items per page (per_page), or leave out large fields';
  const most = limit < ANSWER_BYTES ? `${limit / 1_048_576} MB, the limit with an Idempotency-Key` : '16 MB';
  return new AppError('answer_too_large', `The response would exceed ${most}. ${less}: ${fields}.`);
}
