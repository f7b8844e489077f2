import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the database that can be cut, or made to swallow everything without a word. */
export interface TcpProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection, and passes nothing on. New ones are taken, and hear nothing. */
  swallow(): void;
  /** Passes on again; what was swallowed is gone, and its connections are cut. */
  restore(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'cut' | 'swallow' = 'pass';
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  const server = createServer((incoming) => {
    track(incoming);
    if (mode === 'cut') return void incoming.destroy();
    if (mode === 'swallow') return;
    const outgoing = connect(Number(target.port), target.hostname);
    track(outgoing);
    incoming.on('data', (data) => mode === 'pass' && outgoing.write(data));
    outgoing.on('data', (data) => mode === 'pass' && incoming.write(data));
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      mode = 'cut';
      endAll();
    },
    swallow: () => void (mode = 'swallow'),
    restore: () => {
      if (mode === 'swallow') endAll();
      mode = 'pass';
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
