import { type IncomingMessage, type ServerResponse } from 'node:http';
import cors from 'cors';

/** Goes in front of a door: answers a preflight itself, else sets the headers that a browser asks for and calls `next`. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Lets pages of the listed origins call with a key, never with cookies; answers their preflights before any key is asked for. */
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
    // Also where the origin is another or absent: a cache must not give that answer to a listed one (Fetch, 3.2.5).
    if (listed.size > 0) response.setHeader('vary', 'Origin');
    // For others the handler would take 3 µs to do nothing.
    if (listed.has(request.headers.origin ?? '')) handler(request, response, next);
    else next();
  };
}
