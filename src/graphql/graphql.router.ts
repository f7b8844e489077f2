import { type ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import { type InboundRequest, readJson } from '../http/inbound-body.js';
import { type Authentication } from '../api-keys/authentication.js';
import { AppError, toAppError } from '../errors.js';
import { RequestContext } from '../context.js';
import { extensionsOf } from './errors.js';

/** Milliseconds after which an operation is answered with `unavailable`, whatever it still waits for. */
const OPERATION_TIMEOUT_MS = 10_000;

/** `POST /graphql` and `GET /graphql`: key first, then the body, then Apollo. */
export class GraphqlHttp {
  constructor(
    private readonly apollo: ApolloServer<RequestContext>,
    private readonly authentication: Authentication,
  ) {}

  async handle(
    request: InboundRequest,
    response: ServerResponse,
    requestId: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const caller = await this.authentication.ofRequest(request);
      const body = await readJson(request);
      await this.execute(request, response, body, new RequestContext(requestId, caller, signal));
    } catch (error) {
      sendGraphqlError(response, toAppError(error));
    }
  }

  private async execute(request: InboundRequest, response: ServerResponse, body: unknown, context: RequestContext) {
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    // A page can't send Authorization across origins without a preflight, so such a request is no forgery (CSRF).
    if (headers.has('authorization')) headers.set('apollo-require-preflight', 'true');
    const url = request.url ?? '/';
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const result = await withTimeout(
      this.apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: request.method!.toUpperCase(), headers, search, body },
        context: async () => context,
      }),
    );
    const text = result.body.kind === 'complete' ? result.body.string : '';
    for (const [name, value] of result.headers) response.setHeader(name, value);
    response.statusCode = result.status ?? 200;
    response.setHeader('content-length', Buffer.byteLength(text));
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

/** An error before execution: `{ errors: [...] }` with its HTTP status. */
export function sendGraphqlError(response: ServerResponse, error: AppError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = error.status;
  if (error.code === 'unauthorized') response.setHeader('www-authenticate', 'Bearer');
  if (error.options.retryAfter !== undefined) response.setHeader('retry-after', error.options.retryAfter);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error) }] }));
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'The operation took longer than 10 seconds.', { retryAfter: 1 })),
      OPERATION_TIMEOUT_MS,
    );
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
