import { type LongWork } from '../../../platform/admission/long-work.js';
import { type Clock } from '../../../platform/clock.js';
import { type Outbound } from '../../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { type OutboundResponse } from '../../../platform/http/outbound/outbound-response.js';
import { retryAfter } from '../../../platform/http/outbound/retry-after.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { secretsAt, signedHeaders, webhookContext } from '../webhook-secret.js';
import { type StoredTry, type TryError, tryError } from '../deliveries/delivery-try.js';
import { type ClaimedDelivery } from './claim-deliveries.js';

/** How much of a response is read, in bytes, and stored, in characters. */
const ANSWER_BYTES = 4_096;
const ANSWER_CHARACTERS = 1_024;

/** Signing this many characters takes the time of parsing one. */
const SIGNED_AS_ONE = 8;

/** The outcome of one attempt. `canceled`: this process aborted it, which says nothing about the receiver. */
export type SendOutcome =
  { kind: 'succeeded'; status: number; body: string; tried: StoredTry } | FailedSend | { kind: 'canceled' };

/** A failed attempt. */
export interface FailedSend {
  kind: 'failed';
  status: number | null;
  body: string | null;
  error: string;
  tried: StoredTry;
  notBefore: Date | undefined;
  /** An internal error, which says nothing about the receiver either. */
  isOurs?: true;
}

/** What sending needs. */
export interface SendDependencies {
  clock: Clock;
  secrets: Secrets;
  outbound: Pick<Outbound, 'request'>;
  longWork: Pick<LongWork, 'piece'>;
  /** The timeout of one attempt: 15 s in production. */
  timeoutMs: number;
}

/**
 * Posts a delivery to its webhook, signed with the current secrets. Redirects are not followed. @throws internal
 * errors.
 */
export async function sendDelivery(
  { target, body, accountId, webhookUuid, messageId, hops }: ClaimedDelivery & { body: string },
  { clock, secrets, outbound, longWork, timeoutMs }: SendDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  // Many large bodies are claimed at once, and signing one with all secrets blocks the event loop for up to 30 ms.
  await longWork.piece(accountId, Math.ceil((body.length * (1 + target!.formerSecrets.length)) / SIGNED_AS_ONE));
  const now = clock.now();
  const since = performance.now();
  const tried = (responseStatus: number | null, error: TryError | null = null): StoredTry => ({
    ...{ at: now, responseStatus, error },
    durationMs: Math.round(performance.now() - since),
  });
  const signing = secretsAt(now, target!, secrets, webhookContext(accountId, webhookUuid));
  try {
    const answer = await outbound.request({
      url: target!.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'workflow-hops': String(hops + 1),
        ...signedHeaders(messageId, now, body, signing),
      },
      body,
      timeoutMs,
      maxBytes: ANSWER_BYTES,
      cut: 'raw',
      trust: 'user',
      account: accountId,
      signal,
    });
    return outcomeOf(answer, tried(answer.status), clock.now());
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'canceled') return { kind: 'canceled' };
    const reason = tried(null, tryError(error));
    return { kind: 'failed', status: null, body: null, error: error.message, tried: reason, notBefore: undefined };
  }
}

function outcomeOf(answer: OutboundResponse, tried: StoredTry, now: Date): SendOutcome {
  const { status, host } = answer;
  // PostgreSQL can't store NUL, and the cut may split a surrogate pair.
  const body = answer.text().replaceAll('\0', '').slice(0, ANSWER_CHARACTERS).toWellFormed();
  if (status >= 200 && status < 300) return { kind: 'succeeded', status, body, tried };
  const error = `${host} answered with status ${status}.`;
  return { kind: 'failed', status, body, error, tried, notBefore: retryAfter(answer.headers['retry-after'], now) };
}
