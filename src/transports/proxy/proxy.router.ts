import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ApplicationProxy,
  MAX_PROXIED_ANSWER_BYTES,
} from '../../features/integrations/calls/application-proxy.js';
import { NO_FRAGMENT } from '../../features/integrations/app-url.js';
import { type AppRequest } from '../../features/integrations/tokens/app-access.js';
import { type BodyBudget } from '../../platform/admission/body-budget.js';
import { type RateLimits } from '../../platform/admission/rate-limits.js';
import { heldRefusal } from '../../platform/http/inbound/held-response.js';
import { workFor } from '../../platform/admission/work.js';
import { type Caller, errorFor, senderOf } from '../../platform/context.js';
import { AppError, toAppError, validationError } from '../../platform/errors.js';
import { authorize } from '../../platform/graphql/access.js';
import { hopsOf } from '../../platform/http/inbound/hops.js';
import { drop } from '../../platform/http/inbound/inbound-body.js';
import { sendError, setHeaders } from '../../platform/http/inbound/json-response.js';
import { onceClosed } from '../../platform/http/inbound/once-closed.js';
import { type StreamedResponse } from '../../platform/http/outbound/exchange.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { textOf } from '../../platform/http/outbound/outbound-response.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { demandShort, proxiedBodyOf, type ProxiedBody } from './proxy-body.js';
import { isolate, requestHeadersOf, setResponseHeaders } from './proxy-headers.js';
import { type ProxyPath } from './proxy-path.js';
import { errorStatus, failureOf, proxyErrorOf, receivedStatus, tooLargeAnswer } from './proxy-status.js';

/** What the log and the metrics call these requests. */
const OPERATION = 'ProxyIntegration';
/** Methods that a client may use. A TRACE would return the credentials, and CONNECT opens a tunnel. */
const REFUSED = new Set(['TRACE', 'CONNECT']);
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
/** The buffers of a request and of its response on their way, in bytes. */
const STREAM_BYTES = 262_144;

/** What the door needs. */
export interface ProxyDependencies {
  authenticate: (request: IncomingMessage) => Promise<Caller>;
  proxy: ApplicationProxy;
  rates: RateLimits;
  bodies: BodyBudget;
  logger: Logger;
}

/** `/v1/integrations/{id}/proxy/…`: passes requests on to connected applications, and their responses back. */
export class ProxyRouter {
  constructor(private readonly deps: ProxyDependencies) {}

  /** Answers a request. Never rejects. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    path: ProxyPath,
    requestId: string,
  ): Promise<{ operation: string; status: number }> {
    let caller: Caller | undefined;
    try {
      caller = await this.admit(request, response);
      onceClosed(response, this.deps.bodies.hold(caller.accountId, STREAM_BYTES));
      await this.pass(request, response, path, caller);
      return { operation: OPERATION, status: response.statusCode };
    } catch (error) {
      return { operation: OPERATION, status: await this.refuse(request, response, caller, error, requestId) };
    }
  }

  /** @throws AppError of a request that is not passed on. */
  private async admit(request: IncomingMessage, response: ServerResponse): Promise<Caller> {
    const { rates, authenticate } = this.deps;
    const caller = await authenticate(request);
    const { method = 'GET' } = request;
    const rate = rates.take(method === 'GET' || method === 'HEAD' ? 'read' : 'write', senderOf(caller));
    setHeaders(response, rate?.headers);
    try {
      if (REFUSED.has(method))
        throw new AppError('method_not_allowed', `A proxy supports ${ALLOW}.`, { headers: { allow: ALLOW } });
      authorize(caller, 'write');
    } catch (error) {
      // A request beyond the rate is held back, whatever it is refused for.
      if (rate?.refusal !== undefined) await heldRefusal(rate.refusal, response);
      throw error;
    }
    if (rate?.refusal !== undefined) throw rate.refusal;
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      throw validationError({ field: 'Upgrade', message: 'WebSockets are not passed on' });
    return caller;
  }

  private async pass(
    request: IncomingMessage,
    response: ServerResponse,
    { id, rest }: ProxyPath,
    caller: Caller,
  ): Promise<void> {
    demandShort(request);
    const path = checkedPath(rest);
    const body = await proxiedBodyOf(request);
    const left = new AbortController();
    onceClosed(response, () => {
      if (!response.writableFinished) left.abort();
    });
    const hops = hopsOf(request.headers) + 1;
    const { accountId } = caller;
    const answer = await workFor(accountId, () =>
      this.deps.proxy.open({
        accountId,
        integrationId: decoded(id),
        method: request.method!,
        path,
        headersFor: (target) => headersOf(request, target, body, hops),
        body: body.body,
        hops,
        signal: left.signal,
      }),
    ).catch((error: unknown) => {
      throw body.fault() ?? (error instanceof OutboundError ? failureOf(error) : error);
    });
    await this.passBack(request, response, answer, caller);
  }

  private async passBack(
    request: IncomingMessage,
    response: ServerResponse,
    answer: StreamedResponse,
    caller: Caller,
  ): Promise<void> {
    try {
      this.begin(request, response, answer, caller);
    } catch (error) {
      answer.close();
      throw error;
    }
    // A response that breaks off must look so: its connection is cut.
    await pipeline(answer.body, response).catch(() => response.destroy());
    if (!request.complete) drop(request);
  }

  /** Sends status and headers, which need not wait for the body. @throws AppError for a body that is declared too long. */
  private begin(
    { method }: IncomingMessage,
    response: ServerResponse,
    { status, fields }: StreamedResponse,
    caller: Caller,
  ): void {
    const length = Number(textOf(fields['content-length']) ?? 0);
    if (method !== 'HEAD' && length > MAX_PROXIED_ANSWER_BYTES) throw tooLargeAnswer();
    response.statusCode = status;
    setResponseHeaders(response, fields);
    if (caller.kind === 'person') isolate(response);
    response.setHeader('proxy-status', receivedStatus(status, textOf(fields['proxy-status'])));
    // Not flushHeaders(), which encodes them as UTF-8 instead of Latin-1.
    response.write(Buffer.alloc(0));
  }

  private async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    thrown: unknown,
    requestId: string,
  ): Promise<number> {
    const error = errorFor(caller, toAppError(thrown));
    if (error.code === 'internal_error')
      this.deps.logger.error(
        { request_id: requestId, operation: OPERATION, ...errorFields(error.cause) },
        'request failed',
      );
    await heldRefusal(error, response);
    if (!response.headersSent) response.setHeader('proxy-status', errorStatus(proxyErrorOf(error)));
    if (!request.complete) drop(request);
    return sendError(response, error);
  }
}

/** The headers to send, with the length of a stream where the client declares it. */
function headersOf(
  request: IncomingMessage,
  target: AppRequest,
  { body, length }: ProxiedBody,
  hops: number,
): Record<string, string | string[]> {
  const headers = requestHeadersOf(request, target, hops);
  return body instanceof Readable && length !== undefined ? { ...headers, 'content-length': String(length) } : headers;
}

/** @throws AppError `validation_error` for a path that a server could take for another host. */
function checkedPath(rest: string): string {
  if (rest.includes('#')) throw validationError({ field: 'path', message: NO_FRAGMENT });
  if (/^\/[/\\]/.test(rest)) throw validationError({ field: 'path', message: 'must begin with exactly one /' });
  return rest;
}

/** Malformed encodings are of no id. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
