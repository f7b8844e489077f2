import { type IncomingMessage, type ServerResponse } from 'node:http';
import cors from 'cors';
import { type Clock } from '../../platform/clock.js';
import { type Logger } from '../../platform/logging/logger.js';
import { proxyPathOf } from '../proxy/proxy-path.js';

/** Wraps a handler: answers a preflight itself, otherwise sets the CORS headers and calls `next`. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const HOUR_MS = 3_600_000;
/** Origins whose refusal is remembered, so that strangers cannot fill the log or the memory. */
const MAX_REFUSED = 1_000;
const MAX_ORIGIN = 255;
const MAX_HEADERS = 20;
/** The name of a header (RFC 9110, 5.1: a token) of at most 64 characters. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;

/**
 * Lets pages of the listed origins call with a key, never with cookies, and with any headers. Preflights are answered
 * before authentication; the first of each other origin in an hour is logged.
 */
export function corsFor(origins: readonly string[], clock: Clock, logger: Logger): Cors {
  const listed = new Set(origins);
  const refused = new Map<string, number>();
  const handler = cors<IncomingMessage & { method: string }>((request, decide) =>
    decide(null, {
      origin: request.headers.origin,
      methods: isProxied(request) ? [requestedMethod(request)] : ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      // An application may have OPTIONS of its own.
      preflightContinue: isProxied(request) && !isPreflight(request),
      allowedHeaders: requestedHeaders(request),
      exposedHeaders: [
        'X-Request-Id',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'Idempotent-Replayed',
        'ETag',
        'Link',
        'Location',
        'Ignored-Fields',
        'Preference-Applied',
        'Proxy-Status',
      ],
      maxAge: 600,
    }),
  );
  const refuse = (given: string): void => {
    // A header may have 16 kB.
    const origin = given.slice(0, MAX_ORIGIN);
    const now = clock.now().getTime();
    if (now - (refused.get(origin) ?? -Infinity) < HOUR_MS) return;
    if (refused.size >= MAX_REFUSED) {
      for (const [other, at] of refused) if (now - at >= HOUR_MS) refused.delete(other);
      if (refused.size >= MAX_REFUSED) return;
    }
    refused.set(origin, now);
    logger.warn({ origin }, 'a page of this origin may not call: CORS_ORIGINS does not list it');
  };
  return (request, response, next) => {
    const { origin = '' } = request.headers;
    // Also for other or absent origins: a cache must not give that response to a listed one (Fetch, 3.2.5).
    if (listed.size > 0) response.setHeader('vary', 'Origin');
    // The `cors` handler would spend 3 µs on unlisted origins without any effect.
    if (listed.has(origin)) return handler(request as IncomingMessage & { method: string }, response, next);
    if (!isPreflight(request)) return next();
    refuse(origin);
    response.writeHead(204).end();
  };
}

/** Whether a browser asks if a page may send a request (Fetch, 4.8). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Whether a request is for an application. */
function isProxied({ url = '/' }: IncomingMessage): boolean {
  return proxyPathOf(url) !== undefined;
}

/** The method that a preflight asks for: a token, which a response may contain. */
function requestedMethod({ headers }: IncomingMessage): string {
  const method = headers['access-control-request-method'] ?? '';
  return HEADER_NAME.test(method) ? method : 'GET';
}

/** The headers that a preflight asks for; none if they are too many or ill-formed. */
function requestedHeaders({ headers }: IncomingMessage): string[] {
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  return names.length <= MAX_HEADERS && names.every((name) => HEADER_NAME.test(name)) ? names : [];
}
