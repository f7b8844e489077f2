import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { type OutboundRequest } from '../../platform/http/outbound/outbound-request.js';
import { type OutboundResponse } from '../../platform/http/outbound/outbound-response.js';
import { retryAfter } from '../../platform/http/outbound/retry-after.js';
import { exceedsContainers } from '../../platform/json/json-depth.js';
import { type Config } from './define-action.js';
import { type StepOutcome, type StepWork } from './step-work.js';

/** What one call may take: 30 s and 5 MB. */
const CALL_MS = 30_000;
const MAX_ANSWER_BYTES = 5 * 1_048_576;
/** An answer that is longer is kept as the text that it is: of one so large only a part would be. */
const MAX_PARSED_BYTES = 1_048_576;
/** So is one of more objects and lists: as values they would take far more memory than the text. */
const MAX_PARSED_CONTAINERS = 20_000;
/** When a call that found no turn is tried again, from the attempt's begin; up to a half more, so that they don't come back at once. */
const NEXT_TURN_MS = 15_000;
const RETRYABLE = new Set(['timeout', 'network']);

/** Where a step's request goes, and by whose word that address is good. */
export interface StepRequest {
  url: string;
  trust: OutboundRequest['trust'];
  /** Added to the action's own, and stronger. */
  headers?: Record<string, string>;
}

/** A request as it is sent, in texts. */
export interface PreparedRequest {
  method: string;
  body: string | undefined;
  headers: Record<string, string>;
}

/** What came of a request. */
export interface Sent {
  outcome: StepOutcome;
  /** What the other side answered; undefined where it gave no answer that was read. */
  status: number | undefined;
}

/** Writes the request of a rendered config, with `Idempotency-Key: <run id>-<step index>` unless it sets its own. */
export function prepareRequest(config: Config, work: Pick<StepWork, 'runId' | 'index'>): PreparedRequest {
  return { method: config.method as string, ...bodyAndHeaders(config, work) };
}

/**
 * Sends a request, with the count of hops. 2xx succeeds; 429, 5xx, timeouts and network trouble may be tried again; all
 * else fails.
 */
export async function sendRequest(request: PreparedRequest, target: StepRequest, work: StepWork): Promise<Sent> {
  const leave = await work.targets.enter(hostOf(target.url), work.accountId, work.signal);
  if (leave === undefined) return unanswered({ kind: 'wait', until: nextTurn(work.now) });
  try {
    return await send(request, target, work);
  } finally {
    leave();
  }
}

function nextTurn(now: Date): Date {
  return new Date(now.getTime() + NEXT_TURN_MS * (1 + Math.random() / 2));
}

/** What is no address shares a turn; the call itself says so. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

async function send({ method, body, headers }: PreparedRequest, target: StepRequest, work: StepWork): Promise<Sent> {
  const sent = performance.now();
  try {
    const response = await work.outbound.request({
      url: target.url,
      method,
      headers: { ...headers, ...target.headers, 'workflow-hops': String(work.hops + 1) },
      ...(body !== undefined && { body }),
      timeoutMs: CALL_MS,
      maxBytes: MAX_ANSWER_BYTES,
      trust: target.trust,
      account: work.accountId,
      signal: work.signal,
    });
    const outcome = outcomeOf(response, new Date(work.now.getTime() + performance.now() - sent));
    return { outcome, status: response.status };
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

function bodyAndHeaders(
  { body, headers: given = {} }: Config,
  { runId, index }: Pick<StepWork, 'runId' | 'index'>,
): { body: string | undefined; headers: Record<string, string> } {
  const headers: Record<string, string> = { 'idempotency-key': `${runId}-${index}` };
  if (body !== undefined && body !== null) headers['content-type'] = 'application/json';
  for (const [name, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (body === undefined || body === null) return { body: undefined, headers };
  const isText = typeof body === 'string' && !headers['content-type']!.includes('json');
  return { body: isText ? body : JSON.stringify(body), headers };
}

function outcomeOf(response: OutboundResponse, now: Date): StepOutcome {
  const { status } = response;
  const output = { status, headers: response.headers, body: bodyOf(response) };
  if (status >= 200 && status < 300) return { kind: 'succeeded', output };
  const error = { code: `http_${status}`, message: `${response.host} answered with status ${status}.` };
  if (status !== 429 && status < 500) return { kind: 'failed', error, output };
  return { kind: 'retry', error, notBefore: retryAfter(response.headers['retry-after'], now) };
}

/** JSON where it is JSON, else the text. */
function bodyOf(response: OutboundResponse): unknown {
  const text = response.text();
  if (text === '') return null;
  if (response.body.length > MAX_PARSED_BYTES || exceedsContainers(text, MAX_PARSED_CONTAINERS)) return text;
  try {
    return response.json();
  } catch {
    return text;
  }
}
