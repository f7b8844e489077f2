import { type ServerResponse } from 'node:http';
import { type Caller, senderOf } from '../../platform/context.js';
import { AppError } from '../../platform/errors.js';
import { type InboundRequest, readJson } from '../../platform/http/inbound/inbound-body.js';
import { type LongWork } from '../../platform/admission/long-work.js';
import { type RateDecision, type RateLimits } from '../../platform/admission/rate-limits.js';

/** A request over any GraphQL transport; the types of its fields are still unchecked. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/**
 * Counts a request as a read and accepts only GET and POST, before its body is read.
 * @throws AppError `method_not_allowed`, `rate_limited`.
 */
export function admit(rates: RateLimits, caller: Caller, request: InboundRequest, response: ServerResponse): void {
  const rate = rates.take('read', senderOf(caller));
  setHeaders(response, rate);
  demandMethod(request, rate?.refusal);
  if (rate?.refusal !== undefined) throw rate.refusal;
}

/** The bytes of work that a short uncached document counts as: it takes up to a millisecond. */
export const SHORT_DOCUMENT = 4_096;

/**
 * Charges a request for its uncached document before any work on it, then waits for its turn to block the event loop.
 * @throws AppError `rate_limited`.
 */
export async function admitDocument(
  { rates, longWork }: { rates: RateLimits; longWork: LongWork },
  caller: Caller,
  response: ServerResponse,
  newness: number | undefined,
): Promise<void> {
  if (newness === undefined) return;
  if (newness === 0) return longWork.piece(caller.accountId, SHORT_DOCUMENT);
  const rate = rates.recount('read', 'read', senderOf(caller), 1 + newness);
  setHeaders(response, rate);
  if (rate?.refusal !== undefined) throw rate.refusal;
  await longWork.turn(caller.accountId);
}

/** Charges an admitted request with the cost of its document. @throws AppError `rate_limited`. */
export function weigh(
  rates: RateLimits,
  caller: Caller,
  response: ServerResponse,
  { kind, weight, newness = 0 }: { kind: 'read' | 'write'; weight: number; newness: number | undefined },
): void {
  if (kind === 'read' && weight <= 1) return;
  // Of a mutation, that its document was new stays counted as reads.
  const extra = kind === 'read' ? newness : 0;
  const rate = rates.recount('read', kind, senderOf(caller), weight + extra, 1 + extra);
  setHeaders(response, rate);
  if (rate?.refusal !== undefined) throw rate.refusal;
}

/**
 * The operation of an HTTP request: the parameters of a GET, or the body of a POST (GraphQL over HTTP, 5). Types are
 * checked later. @throws AppError as `readJson` does.
 */
export async function readOperation(request: InboundRequest): Promise<OperationRequest> {
  if (request.method === 'GET') return parametersOf(request);
  const body = await readJson(request);
  return typeof body === 'object' && body !== null ? body : {};
}

function setHeaders(response: ServerResponse, rate: RateDecision | undefined): void {
  for (const [name, value] of Object.entries(rate?.headers ?? {})) response.setHeader(name, value as string);
}

/** A request beyond the rate is held back, whatever it is refused for. */
function demandMethod({ method }: InboundRequest, refusal: AppError | undefined): void {
  if (method === 'GET' || method === 'POST') return;
  const holdMs = refusal?.options.holdMs;
  throw new AppError('method_not_allowed', 'Use POST, or GET.', { headers: { allow: 'GET, POST' }, holdMs });
}

/** The first `?` of a URL and everything after it; a second `?` is part of the result. */
export function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** The operation in the query string of a GET. */
export function parametersOf({ url = '/' }: InboundRequest): OperationRequest {
  const parameters = new URLSearchParams(searchOf(url));
  return {
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName') ?? undefined,
    variables: parsed(parameters.get('variables')),
  };
}

/**
 * Parses JSON; a text that is not JSON is returned unchanged and refused later, because variables must be an object.
 */
function parsed(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
