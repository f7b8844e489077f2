import { type IncomingMessage, type ServerResponse } from 'node:http';
import cors from 'cors';

/** Wraps a handler: answers a preflight itself, otherwise sets the CORS headers and calls `next`. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Lets pages of the listed origins call with a key, never with cookies. Preflights are answered before authentication.
 */
export function corsFor(origins: readonly string[]): Cors {
  const listed = new Set(origins);
  const handler = cors({
    origin: (origin, decide) => {
      decide(null, origin !== undefined && listed.has(origin) ? origin : false);
    },
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'X-Request-Id'],
    exposedHeaders: [
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'ETag',
      'Location',
      'Ignored-Fields',
    ],
    maxAge: 600,
  });
  return (request, response, next) => {
    // Also for other or absent origins: a cache must not give that response to a listed one (Fetch, 3.2.5).
    if (listed.size > 0) response.setHeader('vary', 'Origin');
    // The `cors` handler would spend 3 µs on unlisted origins without any effect.
    if (listed.has(request.headers.origin ?? '')) handler(request, response, next);
    else next();
  };
}
