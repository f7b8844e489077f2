import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { lingerAfter } from '../../platform/http/inbound/lingering-close.js';

/** How long requests in flight may take after the port is closed, in milliseconds. */
const DEADLINE_MS = 18_000;
/** How long the rest of a body may come that the response did not wait for, in milliseconds. */
const LINGER_MS = 1_000;
/** A turn of the event loop shorter than this did next to nothing, in milliseconds. */
const QUIET_MS = 0.2;
/** How long to wait for such a turn, in milliseconds. */
const MAX_QUIET_WAIT_MS = 1_000;

/** A port. `close` ends the accepting; it resolves when all connections that were accepted have ended. */
interface ClosablePort {
  close(): Promise<void>;
}

/**
 * Ends the connections of a server without failing a request. A client may send one on an idle connection at any moment,
 * also while it is being closed (RFC 9112, 9.5), so idle ones stay open for a while, and each response tells its client to
 * send no more on its connection (9.6).
 */
export class Drain {
  /** The HTTP connections, each with the responses that it has not been sent yet. */
  private readonly connections = new Map<Socket, Set<ServerResponse>>();
  /** The connections that are no longer HTTP's: their owner closes them. */
  private readonly upgraded = new Set<Duplex>();
  private hasBegun = false;
  private isIdleOver = false;

  /** Must come before the listener that answers. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, new Set());
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('upgrade', ({ socket }: IncomingMessage) => {
      this.connections.delete(socket);
      this.upgraded.add(socket);
      socket.once('close', () => this.upgraded.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.track(request, response));
  }

  /** From now on each response ends its connection, those to requests in flight too. */
  begin(): void {
    this.hasBegun = true;
    for (const responses of this.connections.values()) responses.forEach(endConnectionAfter);
  }

  /** Closes the port, and idle connections after `idleMs`. Resolves once all connections have ended. */
  async end(port: ClosablePort, idleMs: number): Promise<void> {
    await quietTurn();
    const closed = port.close();
    const idle = setTimeout(() => void this.endIdle(), idleMs);
    const cut = setTimeout(() => {
      this.server.closeAllConnections();
      this.upgraded.forEach((socket) => socket.destroy());
    }, DEADLINE_MS);
    await closed;
    clearTimeout(idle);
    clearTimeout(cut);
    // Stops the timer that looks for slow clients.
    this.server.close(() => undefined);
  }

  private track({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.connections.get(socket);
    responses?.add(response);
    response.once('close', () => {
      responses?.delete(response);
      if (this.isIdleOver && responses?.size === 0) socket.destroySoon();
    });
    if (this.hasBegun) endConnectionAfter(response);
  }

  /** One connection a turn: a turn begins with reading what has come, and by then the next one may be idle no more. */
  private async endIdle(): Promise<void> {
    this.isIdleOver = true;
    for (const [socket, responses] of this.connections) {
      await new Promise(setImmediate);
      if (responses.size === 0) socket.destroySoon();
    }
  }
}

/**
 * Resolves right after a turn of the event loop that has done next to nothing but accept the connections that waited.
 * Closing the port resets those that have come since. A process that is never quiet is given up on after a second.
 */
async function quietTurn(): Promise<void> {
  const start = performance.now();
  for (let last = start; ;) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (now - last < QUIET_MS || now - start > MAX_QUIET_WAIT_MS) return;
    last = now;
  }
}

/** The header has no effect where the response has begun; its connection is idle after it. */
function endConnectionAfter(response: ServerResponse): void {
  if (response.headersSent) return;
  response.setHeader('connection', 'close');
  lingerAfter(response, LINGER_MS);
}
