import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { declaredLength } from './inbound-body.js';

/** How long the rest of a body may come after the response to a client that closes its connection, in milliseconds. */
const LINGER_MS = 10_000;
/** The length of a body whose rest is read, in bytes. The rest of a longer one, or of one in chunks, could be endless. */
const LINGER_BYTES = 64 * 1_048_576;

/** The request with whose response a connection ends, and how long its rest may come. */
interface LastRequest {
  request: IncomingMessage;
  milliseconds: number;
}

const lastRequests = new WeakMap<Socket, LastRequest>();

/**
 * Keeps a connection that ends with this response open until the rest of the request has come, and drops the rest. Bytes
 * that come to a closed connection reset it: a client that sends its whole body first would lose the response, e.g. why a
 * body is too large (RFC 9112, 9.6).
 */
export function lingerAfter({ req: request }: ServerResponse, milliseconds = LINGER_MS): void {
  const { socket } = request;
  const isKnown = lastRequests.has(socket);
  lastRequests.set(socket, { request, milliseconds });
  if (isKnown) return;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls it after the response.
  socket.destroySoon = () => {
    const last = lastRequests.get(socket)!;
    if (last.request.complete) destroySoon();
    else if (!socket.writableEnded) linger(socket, last);
  };
}

function linger(socket: Socket, { request, milliseconds }: LastRequest): void {
  socket.end();
  request.resume().once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the rest of a body has an end that is worth waiting for: after at most so many bytes. */
export function hasBoundedRest(request: IncomingMessage, most = LINGER_BYTES): boolean {
  const length = declaredLength(request);
  return length > 0 && length <= most;
}
