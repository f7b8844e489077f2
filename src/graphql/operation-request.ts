import { AppError } from '../errors.js';
import { type InboundRequest, readJson } from '../http/inbound-body.js';
import { type OperationRequest } from './documents.js';

/**
 * What an HTTP request asks to be run: the parameters of a GET, the body of a POST (GraphQL over HTTP, 5). Their types
 * are judged later. @throws AppError `method_not_allowed`, and those of `readJson`.
 */
export async function readOperation(request: InboundRequest): Promise<OperationRequest> {
  demandMethod(request);
  if (request.method === 'GET') return parametersOf(request);
  const body = await readJson(request);
  return typeof body === 'object' && body !== null ? body : {};
}

/** @throws AppError `method_not_allowed` for all but GET and POST. */
export function demandMethod({ method }: InboundRequest): void {
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
