import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';

const SHAPE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: its valid `X-Request-Id`, else a new one; set on the response as `X-Request-Id`. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && SHAPE.test(given) ? given : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
}
