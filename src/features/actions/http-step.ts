import { LONG_BYTES } from '../../platform/admission/long-work.js';
import { parseUrl } from '../../platform/http/outbound/addresses.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { type OutboundRequest } from '../../platform/http/outbound/outbound-request.js';
import { type OutboundResponse } from '../../platform/http/outbound/outbound-response.js';
import { requestParts } from '../../platform/http/outbound/request-rules.js';
import { retryAfter } from '../../platform/http/outbound/retry-after.js';
import { type Config } from './define-action.js';
import { jsonOf } from './placeholders/json-of.js';
import { hasTooMuch } from './placeholders/output-value.js';
import { type StepError, type StepOutcome, type StepWork } from './step-work.js';

/** The timeout of one call, in milliseconds. */
export const CALL_MS = 30_000;
/** The maximum length of a response, in bytes; a longer one fails the step. */
export const MAX_ANSWER_BYTES = 5 * 1_048_576;
/** Of a longer response only the beginning is read, as a text: it is cut further when it is stored. */
const MAX_PARSED_BYTES = 1_048_576;
/**
 * Delay before a call that found no free slot is tried again, from the start of the attempt. Up to half of it is added
 * at random, so that such calls don't return all at once.
 */
const NEXT_TURN_MS = 15_000;
const RETRYABLE = new Set(['timeout', 'network']);

/** The output of a step that sent a request. */
export const RESPONSE =
  '`{ "status", "headers", "body" }` of the response. Header names are in lower case. `body` is the parsed JSON if the response is JSON, null if it is empty, and a string otherwise; see [large outputs](#large-outputs).';

/** The URL of a step's request, and whether a user or the operator chose it (`trust`). */
export interface StepRequest {
  url: string;
  trust: OutboundRequest['trust'];
  /** Headers that the action's own ones replace. */
  defaults?: Record<string, string>;
  /** Headers that replace the action's own ones. */
  credentials?: Record<string, string>;
}

/** A request ready to be sent. The body is a text already. */
export interface PreparedRequest {
  method: string;
  body: string | undefined;
  headers: Record<string, string>;
}

/** The outcome of a request, with the status of the response. */
export interface Sent {
  outcome: StepOutcome;
  /** The HTTP status; undefined if no response was received. */
  status: number | undefined;
  /** The header `Retry-After` of the response. */
  retryAfter?: string | undefined;
}

/** The request of a rendered config, with `Idempotency-Key: <run id>-<step index>` unless the config sets its own. */
export function prepareRequest(
  { method, body, headers }: Config,
  { runId, index }: Pick<StepWork, 'runId' | 'index'>,
): PreparedRequest {
  const given = (headers ?? {}) as Record<string, unknown>;
  const defaults = { 'idempotency-key': `${runId}-${index}` };
  return { method: method as string, ...requestParts(body, given, defaults, jsonOf) };
}

/** As `sendNow`, once a slot for the host is free. */
export async function sendRequest(request: PreparedRequest, target: StepRequest, work: StepWork): Promise<Sent> {
  const leave = await work.targets.enter(hostOf(target.url), work.accountId, work.signal);
  if (leave === undefined) return unanswered({ kind: 'wait', until: nextTurn(work.now) });
  try {
    return await sendNow(request, target, work);
  } finally {
    leave();
  }
}

/** When a step is executed again that found no free slot. */
export function nextTurn(now: Date): Date {
  return new Date(now.getTime() + NEXT_TURN_MS * (1 + Math.random() / 2));
}

/** Malformed URLs share one slot; the call itself reports the error. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? '';
}

/**
 * Sends a request, with the hop count in `Workflow-Hops`. 2xx succeeds; 429, 5xx, timeouts and network errors are
 * retried; everything else fails.
 */
export async function sendNow(
  { method, body, headers }: PreparedRequest,
  target: StepRequest,
  work: StepWork,
): Promise<Sent> {
  const sent = performance.now();
  try {
    const response = await work.outbound.request({
      url: target.url,
      method,
      headers: { ...target.defaults, ...headers, ...target.credentials, 'workflow-hops': String(work.hops + 1) },
      ...(body !== undefined && { body }),
      timeoutMs: CALL_MS,
      maxBytes: MAX_ANSWER_BYTES,
      trust: target.trust,
      account: work.accountId,
      signal: work.signal,
    });
    const now = new Date(work.now.getTime() + performance.now() - sent);
    // Its output is parsed and written in this turn, too.
    if (response.body.length > LONG_BYTES) await work.longWork.turn(work.accountId);
    const outcome = outcomeOf(response, now);
    return { outcome, status: response.status, retryAfter: response.headers['retry-after'] };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { reason, message } = error;
    if (reason === 'canceled')
      return unanswered({ kind: 'retry', error: { code: 'timeout', message: 'The step took too long.' } });
    return unanswered({ kind: RETRYABLE.has(reason) ? 'retry' : 'failed', error: { code: reason, message } });
  }
}

function unanswered(outcome: StepOutcome): Sent {
  return { outcome, status: undefined };
}

function outcomeOf(response: OutboundResponse, now: Date): StepOutcome {
  const { status } = response;
  const output = { status, headers: response.headers, body: bodyOf(response) };
  if (status >= 200 && status < 300) return { kind: 'succeeded', output };
  const error: StepError = { code: `http_${status}`, message: `${response.host} answered with status ${status}.` };
  if (status !== 429 && status < 500) return { kind: 'failed', error, output };
  return { kind: 'retry', error, notBefore: retryAfter(response.headers['retry-after'], now) };
}

/** The parsed body if it is JSON, else its text. */
function bodyOf(response: OutboundResponse): unknown {
  const text = response.text(MAX_PARSED_BYTES);
  if (text === '') return null;
  if (response.body.length > MAX_PARSED_BYTES || hasTooMuch(text)) return text;
  try {
    return response.json();
  } catch {
    return text;
  }
}
