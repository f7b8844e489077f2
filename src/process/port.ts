import cluster from 'node:cluster';
import { once } from 'node:events';
import { type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Server, type Socket } from 'node:net';

/**
 * Connections that may wait to be accepted, if the system allows as many (Linux: `net.core.somaxconn`). What comes beyond
 * is dropped, and its client tries again after 1, 3, 7 and 15 s. Node's own 511 are there at once after a restart.
 */
const ACCEPT_BACKLOG = 4_096;
/** The sockets that listen on the port, where several can. */
const SOCKETS = 16;

/**
 * The port of the service. Node accepts one connection of each listening socket in a turn of the event loop (libuv, since
 * 1.45), so that thousands of clients, which come back at once after a restart, would wait for as many turns. On Linux
 * several sockets listen on the port (SO_REUSEPORT), and the kernel shares the connections out among them.
 */
export class Port {
  private constructor(private readonly servers: readonly Server[]) {}

  /** Listens on the port; 0 means any free one. @throws Error `EADDRINUSE` if another process listens on it. */
  static async open(http: HttpServer, port: number): Promise<Port> {
    // Of several processes the primary accepts, and has nothing else to do in a turn.
    if (process.platform !== 'linux' || cluster.isWorker) {
      await listen(http, { port });
      return new Port([http]);
    }
    // Sockets that share a port would also share it with another service of the same user.
    if (port !== 0) await demandFree(port);
    const others = Array.from({ length: SOCKETS - 1 }, () =>
      createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => http.emit('connection', socket)),
    );
    try {
      await listen(http, { port, reusePort: true });
      const { port: shared } = http.address() as AddressInfo;
      await Promise.all(others.map((server) => listen(server, { port: shared, reusePort: true })));
    } catch (error) {
      for (const server of [http, ...others]) Server.prototype.close.call(server);
      throw error;
    }
    return new Port([http, ...others]);
  }

  /** Accepts no more connections. Resolves once all that were accepted have ended. */
  async close(): Promise<void> {
    const closed = this.servers.map((server) => once(server, 'close'));
    // http's own close() would cut idle connections.
    for (const server of this.servers) Server.prototype.close.call(server);
    await Promise.all(closed);
  }
}

/** A client that connects meanwhile is refused like before it; otherwise the probe would wait for its end. */
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
