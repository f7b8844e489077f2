import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to the database that can cut connections or silently swallow all data. */
export interface TcpProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection and forwards nothing. New ones are accepted and get no data. */
  swallow(): void;
  /** The same for the open connections of this `application_name` only. */
  swallowOnly(application: string): void;
  /** Forwards again; swallowed data is lost, and its connections are closed. */
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

/** The parameters of a startup message (PostgreSQL's protocol, 54.7). */
function applicationOf(startup: Buffer): string {
  return /\0application_name\0([^\0]*)\0/.exec(startup.toString('latin1'))?.[1] ?? '';
}
