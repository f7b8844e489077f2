import { type Socket } from 'node:net';
import { OutboundError } from './outbound-error.js';

/** Three times the largest response limit, to allow for framing. */
const MAX_BYTES = 16 * 1_048_576;

/**
 * Closes a connection that receives more than 16 MiB for one request. The limit of the body does not count the data
 * that a server can send endlessly around it: informational responses, reason phrases, empty lines, chunk sizes and
 * extensions.
 */
export function limitWire(socket: Socket, host: string): void {
  let asked = socket.bytesWritten;
  let before = socket.bytesRead;
  // `readable`, beside undici's own listener: a `data` listener would consume its bytes.
  socket.on('readable', () => {
    if (socket.bytesWritten !== asked) {
      asked = socket.bytesWritten;
      before = socket.bytesRead;
    } else if (socket.bytesRead - before > MAX_BYTES) {
      socket.destroy(new OutboundError('too_large', `The response from ${host} does not end.`));
    }
  });
}
