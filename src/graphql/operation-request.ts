import { type ServerResponse } from 'node:http';
import { type Caller, callerId } from '../context.js';
import { AppError } from '../errors.js';
import { type InboundRequest, readJson } from '../http/inbound-body.js';
import { type RateLimits } from '../admission/rate-limits.js';
import { type OperationRequest } from './documents.js';

/**
 * Counts a request as a read and lets in what is GET or POST; nothing of its body is read yet.
 * @throws AppError `method_not_allowed`, `rate_limited`.
 */
export function admit(rates: RateLimits, caller: Caller, request: InboundRequest, response: ServerResponse): void {
  const rate = rates.take('read', callerId(caller));
  for (const [name, value] of Object.entries(rate?.headers ?? {})) response.setHeader(name, value as string);
  demandMethod(request);
  if (rate?.refusal !== undefined) throw rate.refusal;
}

/**
 * What an HTTP request asks to be run: the parameters of a GET, the body of a POST (GraphQL over HTTP, 5). Their types
 * are judged later. @throws AppError as `readJson` does.
 */
export async function readOperation(request: InboundRequest): Promise<OperationRequest> {
  if (request.method === 'GET') return parametersOf(request);
  const body = await readJson(request);
  return typeof body === 'object' && body !== null ? body : {};
}

function demandMethod({ method }: InboundRequest): void {
  if (method === 'GET' || method === 'POST') return;
  throw new AppError('method_not_allowed', 'Use POST, or GET.', { headers: { allow: 'GET, POST' } });
}

function parametersOf({ url = '/' }: InboundRequest): OperationRequest {
  const parameters = new URLSearchParams(url.split('?', 2)[1]);
  return {
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName') ?? undefined,
    variables: parsed(parameters.get('variables')),
  };
}

/** What is no JSON stays a text, which no variables are. */
function parsed(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
