import { answerTooLarge } from '../../platform/admission/responses/answer-too-large.js';
import { currentWork } from '../../platform/admission/work.js';
import { AppError } from '../../platform/errors.js';
import { jsonSize } from '../../platform/json/json-size.js';
import { type KeptAnswer, MAX_KEPT_BYTES } from '../../platform/repetition.js';

/** The row of a request that took effect, and whose response was not kept. A response that is kept is a 2xx. */
export const NOT_KEPT = { status: 409, text: 'null' };

/** The response to a repetition of such a request. `Idempotent-Replayed` tells it from a request without effect. */
export function notKept(): AppError {
  const message =
    'The first request with this Idempotency-Key took effect, but its response was too large to keep. Nothing was repeated.';
  return new AppError('conflict', message, { headers: { 'idempotent-replayed': 'true' } });
}

/** The size of a response, about and at most that of its text, in bytes; it costs little. */
export function sizeOf({ body, text }: KeptAnswer): number {
  return text?.length ?? jsonSize(body, MAX_KEPT_BYTES);
}

/** The text of a response, with its exact size in bytes. */
export function textOf({ body, text }: KeptAnswer): { text: string; bytes: number } {
  const json = JSON.stringify(body ?? null);
  return { text: text === undefined ? json : `${json}\n${text}`, bytes: Buffer.byteLength(text ?? json) };
}

/** The reverse of `textOf`. */
export function answerOf(kept: string): Pick<KeptAnswer, 'body' | 'text'> {
  const end = kept.indexOf('\n');
  if (end < 0) return { body: JSON.parse(kept) as unknown };
  return { body: JSON.parse(kept.slice(0, end)) as unknown, text: kept.slice(end + 1) };
}

/** @throws AppError `answer_too_large` if a response has more bytes than are kept. */
export function demandBytes(bytes: number, { body, text }: KeptAnswer): void {
  if (bytes <= MAX_KEPT_BYTES) return;
  const { code, message } = answerTooLarge(text === undefined ? body : currentWork().answer?.admitted, MAX_KEPT_BYTES);
  throw new AppError(code, `${message} Nothing has changed.`);
}
