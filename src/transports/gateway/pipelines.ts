import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** The most requests of a connection that wait behind the one that is handled. */
export const MAX_PIPELINED = 128;

interface Waiting {
  response: ServerResponse;
  handle: () => void;
}

/** A connection with a request under way. */
interface Pipeline {
  waiting: Waiting[];
  /** Whether the last waiting request is the last one of the connection. */
  isEnding: boolean;
}

/**
 * Handles the requests of a connection one after another. A client may send any number of them without a wait for the
 * responses (pipelining, RFC 9112, 9.3.2), and Node emits all that have come: a client whose refusals are held back
 * could have thousands held. Requests beyond those that may wait are not handled, and the connection ends before them.
 */
export class Pipelines {
  private readonly connections = new WeakMap<Socket, Pipeline>();

  /** Calls `handle` once the connection has the responses to its earlier requests; never if it ends before. */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const pipeline = this.connections.get(socket);
    if (pipeline === undefined) {
      this.connections.set(socket, { waiting: [], isEnding: false });
      this.begin(socket, { response, handle });
    } else if (!pipeline.isEnding && pipeline.waiting.length < MAX_PIPELINED) {
      pipeline.waiting.push({ response, handle });
    } else if (!pipeline.isEnding) {
      pipeline.isEnding = true;
      pipeline.waiting.at(-1)!.response.setHeader('connection', 'close');
      // Node resumes the socket after each message.
      socket.on('resume', () => socket.pause()).pause();
    }
  }

  private begin(socket: Socket, { response, handle }: Waiting): void {
    response.once('close', () => this.end(socket));
    handle();
  }

  private end(socket: Socket): void {
    const next = this.connections.get(socket)!.waiting.shift();
    if (next === undefined) this.connections.delete(socket);
    else this.begin(socket, next);
  }
}
