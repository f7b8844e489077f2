import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { workForCallers } from '../../platform/admission/work.js';
import { asRequest } from '../../platform/admission/origin.js';
import { AppError, toAppError } from '../../platform/errors.js';
import { type GraphqlHttp } from '../graphql/graphql.router.js';
import { type SseSubscriptions } from '../graphql/subscriptions/subscriptions.sse.js';
import { heldResponse } from '../../platform/http/inbound/held-response.js';
import { hasBoundedRest, lingerAfter } from '../../platform/http/inbound/lingering-close.js';
import { InboundMessage } from '../../platform/http/inbound/inbound-message.js';
import { sendError } from '../../platform/http/inbound/json-response.js';
import { assignRequestId } from '../../platform/http/inbound/request-id.js';
import { type Logger } from '../../platform/logging/logger.js';
import { proxyPathOf } from '../proxy/proxy-path.js';
import { type ProxyRouter } from '../proxy/proxy.router.js';
import { type RestRouter } from '../rest/router.js';
import { type AuthRouter } from '../../features/users/sign-in/auth.router.js';
import { inSpan, type Span, type Tracing } from '../../platform/tracing/span.js';
import { Clients } from './clients.js';
import { beginRequest, endRequest } from './request-trace.js';
import { type Cors, isPreflight } from './cors.js';
import { type Metrics } from './metrics.js';
import { Pipelines } from './pipelines.js';
import { transportFault } from './transport-fault.js';

const MONITORING = new Set(['/livez', '/readyz', '/metrics']);
/** The paths that need a key or a token; refusals there have a pace of their own. */
const KEYED = /^\/(?:v1(?:\/.*)?|graphql(?:\/stream)?\/?|(?:hooks|events|callbacks)\/[^/]+\/?)$/s;

/** Responses of the API are for their caller alone, who asks again with an entity tag. */
const OF_CALLER = 'private, no-cache';

/** A plain handler of a path with one token, e.g. `/hooks/:token`. */
export type TokenHandler = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/** The handlers that `createHandler` dispatches to. */
export interface Listeners {
  rest: RestRouter;
  proxy: ProxyRouter;
  graphql: GraphqlHttp;
  sse: SseSubscriptions;
  hooks: TokenHandler;
  events: TokenHandler;
  callbacks: TokenHandler;
  auth: AuthRouter;
  cors: Cors;
  /** Serves everything outside the API: pages, OAuth, health. */
  express: RequestListener;
  metrics: Metrics;
  logger: Logger;
  /** Undefined without tracing. */
  tracing: Tracing | undefined;
  /** Counts a request that needs no key. @returns how long to wait with it, in milliseconds. */
  keylessDelay: (request: IncomingMessage) => number;
  /** Reserves the memory for a body that waits. @throws AppError `unavailable`. */
  holdUnknown: (request: IncomingMessage) => () => void;
  /** The IP address of the client of a request. */
  addressOf: (request: IncomingMessage) => string;
  /** False in a process that only executes runs: it serves monitoring only. */
  isOpen: boolean;
  /** Aborts when the service stops: long-polling requests are then answered at once. */
  stopping: AbortSignal;
}

/**
 * How the log and the metrics name a request. For a page this is the first path segment only: the rest can be a secret.
 */
interface Visit {
  door: string;
  operation: string;
}

/** The service's request listener: API requests are handled straight from `node:http`, the rest by Express. */
export function createHandler(listeners: Listeners): RequestListener {
  const clients = new Clients(listeners.stopping);
  const pipelines = new Pipelines();
  const handle: RequestListener = (request, response) => {
    // After a response that ends the connection no request of it is executed (RFC 9112, 9.6).
    if (isIncomplete(request) || !request.socket.writable) return;
    const started = performance.now();
    request.url = originForm(request.url ?? '/');
    const requestId = assignRequestId(request, response);
    const visit: Visit = { door: 'page', operation: pageOf(request.url) };
    const span = beginRequest(listeners.tracing, request);
    response.once('close', () => report(listeners, request, response, { requestId, visit, started, span }));
    if (transportFault(request) !== undefined) return refuseTransport(response);
    if (!response.shouldKeepAlive && hasBoundedRest(request)) lingerAfter(response);
    const serve = (): void =>
      asRequest(
        () => listeners.addressOf(request),
        () =>
          inSpan(span, () => workForCallers(() => dispatch(listeners, clients, request, response, requestId, visit))),
      );
    const held = needsKey(request) ? undefined : heldResponse(listeners.keylessDelay(request), response);
    if (held === undefined) serve();
    else waitWith(listeners, request, response, held, serve);
  };
  return (request, response) => pipelines.inTurn(request, response, () => handle(request, response));
}

/** Serves a request after it was held; what arrives of its body in the meantime takes memory. */
function waitWith(
  { holdUnknown }: Listeners,
  request: IncomingMessage,
  response: ServerResponse,
  held: Promise<void>,
  serve: () => void,
): void {
  try {
    const giveBack = holdUnknown(request);
    void held.finally(giveBack).then(() => response.destroyed || serve());
  } catch (error) {
    sendError(response, toAppError(error));
  }
}

function needsKey(request: IncomingMessage): boolean {
  return KEYED.test(pathOf(request)) && !isPreflight(request);
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0]!;
}

function isIncomplete(request: IncomingMessage): boolean {
  return request instanceof InboundMessage && request.isIncomplete;
}

/** Answers malformed HTTP like Node itself: no body, and the rest of the connection is not read. */
function refuseTransport(response: ServerResponse): void {
  response.writeHead(400, { connection: 'close', 'content-length': 0 }).end();
}

/** The first segment of a page's path, or `/*` when it is not the name of a page: the rest can be a secret. */
function pageOf(url: string): string {
  const [, part = ''] = url.split(/[/?]/, 2);
  return /^[a-z._-]{0,16}$/.test(part) ? `/${part}` : '/*';
}

/** `http://host/path` as `/path`: servers must accept the absolute form too (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  return /^https?:/i.test(url) ? url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/') : url;
}

function dispatch(
  listeners: Listeners,
  clients: Clients,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  visit: Visit,
): void {
  const url = request.url ?? '/';
  const path = pathOf(request);
  if (!listeners.isOpen && !MONITORING.has(path)) {
    sendError(response, new AppError('not_found', 'This process serves no API (see the setting ROLES).'));
  } else if (path === '/v1' || path.startsWith('/v1/')) {
    Object.assign(visit, { door: 'rest', operation: '' });
    response.setHeader('cache-control', OF_CALLER);
    listeners.cors(request, response, () => {
      const proxied = proxyPathOf(url);
      if (proxied !== undefined) {
        void listeners.proxy
          .handle(request, response, proxied, requestId)
          .then((outcome) => Object.assign(visit, outcome));
        return;
      }
      request.url = url.slice('/v1'.length) || '/';
      void listeners.rest
        .handle(request, response, requestId, clients.of(response))
        .then((outcome) => Object.assign(visit, outcome));
    });
  } else if (path === '/graphql' || path === '/graphql/') {
    Object.assign(visit, { door: 'graphql', operation: '' });
    response.setHeader('cache-control', OF_CALLER);
    listeners.cors(
      request,
      response,
      () => void listeners.graphql.handle(request, response, requestId, clients.of(response)),
    );
  } else if (path === '/graphql/stream' || path === '/graphql/stream/') {
    Object.assign(visit, { door: 'sse', operation: '' });
    listeners.cors(request, response, () => void listeners.sse.handle(request, response, requestId));
  } else if (/^\/hooks\/[^/]+\/?$/.test(path)) {
    Object.assign(visit, { door: 'hook', operation: '' });
    void listeners.hooks(request, response, path.split('/')[2]!);
  } else if (/^\/events\/[^/]+\/?$/.test(path)) {
    Object.assign(visit, { door: 'event', operation: '' });
    void listeners.events(request, response, path.split('/')[2]!);
  } else if (/^\/callbacks\/[^/]+\/?$/.test(path)) {
    Object.assign(visit, { door: 'callback', operation: '' });
    void listeners.callbacks(request, response, path.split('/')[2]!);
  } else if (path.startsWith('/auth/')) {
    void listeners.auth.handle(request, response);
  } else {
    listeners.express(request, response);
  }
}

/** What is known of a request before its end. */
interface Reported {
  requestId: string;
  visit: Visit;
  started: number;
  span: Span | undefined;
}

/** Writes one log line for each request and counts it. */
function report(
  listeners: Listeners,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, visit, started, span }: Reported,
): void {
  const milliseconds = performance.now() - started;
  const status = response.writableFinished ? response.statusCode : 499;
  const { operation } = visit;
  endRequest(span, request, visit, status);
  listeners.metrics.observe(visit.door, visit.door === 'page' ? '' : operation, status, milliseconds / 1_000);
  listeners.logger.info(
    {
      request_id: requestId,
      ...(span !== undefined && { trace_id: span.traceId }),
      door: visit.door,
      method: request.method,
      operation,
      status,
      ms: Math.round(milliseconds * 10) / 10,
    },
    'request',
  );
}
