import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** The most requests of a connection that wait behind the one that is handled, and the most bytes of their heads. */
export const MAX_PIPELINED = 128;
export const MAX_HEAD_BYTES = 65_536;

/** The waiting requests of a connection. */
interface Waiting {
  count: number;
  headBytes: number;
  last: ServerResponse;
  /** Whether `last` is the last request of the connection. */
  isEnding: boolean;
}

/**
 * Handles the requests of a connection one after another. A client may send any number of them without a wait for the
 * responses (pipelining, RFC 9112, 9.3.2), and Node emits all that have come: a client whose refusals are held back
 * could have thousands held. Requests beyond those that may wait are not handled, and the connection ends before them.
 */
export class Pipelines {
  private readonly connections = new WeakMap<Socket, Waiting>();

  /** Calls `handle` once the connection has the responses to its earlier requests; never if it ends before. */
  inTurn(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    // Node gives the connection to one response at a time, in the order of the requests, and to none after its end.
    if (response.socket !== null) return handle();
    const { socket } = request;
    const headBytes = headBytesOf(request);
    const waiting = this.connections.get(socket) ?? { count: 0, headBytes: 0, last: response, isEnding: false };
    this.connections.set(socket, waiting);
    if (waiting.isEnding) return;
    const isFull = waiting.count === MAX_PIPELINED || waiting.headBytes + headBytes > MAX_HEAD_BYTES;
    if (isFull && waiting.count > 0) return endAfter(waiting, socket);
    waiting.count += 1;
    waiting.headBytes += headBytes;
    waiting.last = response;
    response.once('socket', () => {
      waiting.count -= 1;
      waiting.headBytes -= headBytes;
      // Node is still ending the response before.
      process.nextTick(handle);
    });
  }
}

function endAfter(waiting: Waiting, socket: Socket): void {
  waiting.isEnding = true;
  waiting.last.setHeader('connection', 'close');
  // Node resumes the socket after each message.
  socket.on('resume', () => socket.pause()).pause();
}

function headBytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
