import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';

/** A server on 127.0.0.1 and a free port. `connections` counts all accepted connections, `open` the current ones. */
export interface Loopback {
  url: string;
  port: number;
  connections: number;
  open: Set<Socket>;
  close(): Promise<void>;
}

export function serveHttp(listener: RequestListener): Promise<Loopback> {
  return listen(createServer(listener));
}

/** Passes on each raw connection, for behaviour that no HTTP server has. */
export function serveTcp(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return listen(createTcpServer(onSocket));
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<Loopback> {
  const open = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const loopback: Loopback = {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: 0,
    open,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket: Socket) => {
    loopback.connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  return loopback;
}
