import { type ServerResponse } from 'node:http';

/** How long the rest of a body may come after the response to a client that closes its connection, in milliseconds. */
const LINGER_MS = 10_000;

/**
 * Keeps a connection that ends with this response open until the rest of the request has come, and drops the rest. Bytes
 * that come to a closed connection reset it: a client that sends its whole body first would lose the response, e.g. why a
 * body is too large (RFC 9112, 9.6).
 */
export function lingerAfter({ req: request }: ServerResponse, milliseconds = LINGER_MS): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls it after the response.
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end();
    request.resume().once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), milliseconds).unref();
  };
}
