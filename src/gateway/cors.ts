import cors from 'cors';
import { type RequestHandler } from 'express';

/** Lets pages of the listed origins call with a key, never with cookies; answers their preflights before any key is asked for. */
export function corsFor(origins: readonly string[]): RequestHandler {
  const listed = new Set(origins);
  return cors({
    origin: (origin, decide) => decide(null, origin !== undefined && listed.has(origin) ? origin : false),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed', 'Location'],
    maxAge: 600,
  });
}
