import { OutboundError } from '../http/outbound-error.js';
import { type OutboundRequest } from '../http/outbound-request.js';
import { type OutboundResponse } from '../http/outbound-response.js';
import { type Config } from './define-action.js';
import { type StepOutcome, type StepWork } from './step-work.js';

/** What one call may take: 30 s and 5 MB. */
const CALL_MS = 30_000;
const MAX_ANSWER_BYTES = 5 * 1_048_576;
/** Waits that an application asks for (`Retry-After`) are honoured up to a day. */
const LONGEST_WAIT_MS = 86_400_000;
const RETRYABLE = new Set(['timeout', 'network']);

/** Where a step's request goes, and by whose word that address is good. */
export interface StepRequest {
  url: string;
  trust: OutboundRequest['trust'];
  /** Added to the action's own, and stronger. */
  headers?: Record<string, string>;
}

/**
 * Sends the request of a rendered config, with `Idempotency-Key: <run id>-<step index>` unless it sets its own, and with
 * the count of hops. 2xx succeeds; 429, 5xx, timeouts and network trouble may be tried again; all else fails.
 */
export async function sendRequest(config: Config, target: StepRequest, work: StepWork): Promise<StepOutcome> {
  const { body, headers } = bodyAndHeaders(config, work);
  try {
    const response = await work.outbound.request({
      url: target.url,
      method: config.method as string,
      headers: { ...headers, ...target.headers, 'workflow-hops': String(work.hops + 1) },
      ...(body !== undefined && { body }),
      timeoutMs: CALL_MS,
      maxBytes: MAX_ANSWER_BYTES,
      trust: target.trust,
      signal: work.signal,
    });
    return outcomeOf(response, work.now);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { reason, message } = error;
    if (reason === 'canceled') return { kind: 'retry', error: { code: 'timeout', message: 'The step took too long.' } };
    return { kind: RETRYABLE.has(reason) ? 'retry' : 'failed', error: { code: reason, message } };
  }
}

function bodyAndHeaders(
  { body, headers: given = {} }: Config,
  { scope, index }: StepWork,
): { body: string | undefined; headers: Record<string, string> } {
  const headers: Record<string, string> = { 'idempotency-key': `${scope.run.id}-${index}` };
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
  try {
    return response.json();
  } catch {
    return text;
  }
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function retryAfter(header: string | undefined, now: Date): Date | undefined {
  if (header === undefined) return undefined;
  const at = /^\d+$/.test(header.trim()) ? now.getTime() + Number(header) * 1_000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, now.getTime() + LONGEST_WAIT_MS));
}
