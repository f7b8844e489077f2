import { type Socket } from 'node:net';
import { OutboundError } from './outbound-error.js';

/** Three times the longest answer that anybody reads, for its framing. */
const MAX_BYTES = 16 * 1_048_576;

/**
 * Cuts a connection over which more than 16 MiB come for one request. The limit of the body counts none of what a server
 * may send without end around it: informational answers, reason phrases, empty lines, chunk sizes and extensions.
 */
export function limitWire(socket: Socket, host: string): void {
  let asked = socket.bytesWritten;
  let before = socket.bytesRead;
  // Beside undici's own listener, which reads; a `data` listener would take its bytes.
  socket.on('readable', () => {
    if (socket.bytesWritten !== asked) {
      asked = socket.bytesWritten;
      before = socket.bytesRead;
    } else if (socket.bytesRead - before > MAX_BYTES) {
      socket.destroy(new OutboundError('too_large', `The answer from ${host} does not end.`));
    }
  });
}
