import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the database that can be cut, or made to swallow everything without a word. */
export interface TcpProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection, and passes nothing on. New ones are taken, and hear nothing. */
  swallow(): void;
  /** The same for the open connections of this `application_name` alone. */
  swallowOnly(application: string): void;
  /** Passes on again; what was swallowed is gone, and its connections are cut. */
  restore(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const named = new Map<Socket, string>();
  const silenced = new Set<Socket>();
  let mode: 'pass' | 'cut' | 'swallow' = 'pass';
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  const server = createServer((incoming) => {
    track(incoming);
    if (mode === 'cut') return void incoming.destroy();
    if (mode === 'swallow') return;
    const outgoing = connect(Number(target.port), target.hostname);
    track(outgoing);
    const passes = (): boolean => mode === 'pass' && !silenced.has(incoming);
    incoming.once('data', (data) => named.set(incoming, applicationOf(data)));
    incoming.on('data', (data) => passes() && outgoing.write(data));
    outgoing.on('data', (data) => passes() && incoming.write(data));
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => [sockets, named, silenced].forEach((each) => each.delete(socket)));
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
    swallowOnly: (application) => {
      for (const [socket, name] of named) if (name === application) silenced.add(socket);
    },
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

/** What a startup message (PostgreSQL's protocol, 54.7) says of its sender. */
function applicationOf(startup: Buffer): string {
  return /\0application_name\0([^\0]*)\0/.exec(startup.toString('latin1'))?.[1] ?? '';
}
