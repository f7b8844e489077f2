import cluster from 'node:cluster';
import { once } from 'node:events';
import { type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Server, type Socket } from 'node:net';

/**
 * Connections that may wait to be accepted, if the system allows as many (Linux: `net.core.somaxconn`). What comes beyond
 * is dropped, and its client tries again after 1, 3, 7 and 15 s. Node's own 511 are there at once after a restart.
 */
const ACCEPT_BACKLOG = 4_096;
/**
 * A connection is not read on while more bytes than these wait for the reader of its body. Node reads 64 kB at once: with its
 * own limit of as many bytes a turn of the event loop would read twice that of each connection.
 */
export const READ_AHEAD = 16_384;
/** The sockets that listen on the port, where several can. */
const SOCKETS = 16;

/**
 * The port of the service. Node accepts one connection of each listening socket in a turn of the event loop (libuv, since
 * 1.45), so that thousands of clients, which come back at once after a restart, would wait for as many turns. On Linux
 * several sockets listen on the port (SO_REUSEPORT), and the kernel shares the connections out among them (decision 0030).
 */
export class Port {
  private constructor(private readonly servers: readonly Server[]) {}

  /** Listens on the port; 0 means any free one. @throws Error `EADDRINUSE` if another service or program listens on it. */
  static async open(http: HttpServer, port: number): Promise<Port> {
    // Of several processes the primary accepts, and has nothing else to do in a turn.
    if (process.platform !== 'linux' || cluster.isWorker) {
      await listen(http, { port });
      return new Port([http]);
    }
    // The options are those of http for its own sockets.
    const others = Array.from({ length: SOCKETS - 1 }, () =>
      createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: READ_AHEAD }, (socket: Socket) =>
        http.emit('connection', socket),
      ),
    );
    const claim = createServer((socket) => socket.destroy());
    const servers = [claim, http, ...others];
    try {
      if (port !== 0) {
        await claimPort(claim, port);
        await demandFree(port);
      }
      await listen(http, { port, reusePort: true });
      const { port: shared } = http.address() as AddressInfo;
      if (port === 0) await claimPort(claim, shared);
      await Promise.all(others.map((server) => listen(server, { port: shared, reusePort: true })));
    } catch (error) {
      servers.forEach(end);
      throw error;
    }
    return new Port(servers);
  }

  /** Accepts no more connections. Resolves once all that were accepted have ended. */
  async close(): Promise<void> {
    const closed = this.servers.map((server) => once(server, 'close'));
    this.servers.forEach(end);
    await Promise.all(closed);
  }
}

/**
 * Keeps a second service of the same user off the port: the kernel would let it share the sockets. A name of Linux's abstract
 * sockets (unix(7)) has one holder in a network namespace, like the port, and is free again when the process dies.
 */
async function claimPort(claim: Server, port: number): Promise<void> {
  try {
    await listen(claim, { path: `\0workflow-gateway-port-${port}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw Object.assign(new Error(`listen EADDRINUSE: address already in use :::${port}`), { code });
  }
}

/** Another program may share the port without a claim. The probe refuses a client that connects to it. */
async function demandFree(port: number): Promise<void> {
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, { port });
  probe.close();
  await once(probe, 'close');
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen({ ...options, backlog: ACCEPT_BACKLOG });
  await once(server, 'listening');
}

/** The close() of http itself would cut idle connections. */
function end(server: Server): void {
  Server.prototype.close.call(server);
}
