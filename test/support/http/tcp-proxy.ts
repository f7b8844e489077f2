import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to the database, or to the service, that can cut connections or silently swallow all data. */
export interface TcpProxy {
  /** The target's URL through the proxy. */
  url: string;
  /** The connections that were refused since the start. */
  readonly refused: number;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Keeps the open connections and refuses new ones. */
  refuse(): void;
  /** Keeps every connection and forwards nothing. New ones are accepted and get no data. */
  swallow(): void;
  /** The same for the open connections of this `application_name` only. */
  swallowOnly(application: string): void;
  /** Forwards what is sent to the target, and closes the connection when it answers. */
  loseAnswers(): void;
  /** Keeps the open connections and forwards nothing on them, not even their end. New ones work. */
  forget(): void;
  /** Forwards again; swallowed data is lost, and its connections are closed. */
  restore(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const named = new Map<Socket, string>();
  const silenced = new Set<Socket>();
  const forgotten = new Set<Socket>();
  let mode: 'pass' | 'cut' | 'refuse' | 'swallow' | 'lose answers' = 'pass';
  let refused = 0;
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  // By itself a socket answers the end of a connection; one that is forgotten must not.
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    track(incoming);
    if (mode === 'cut' || mode === 'refuse') {
      refused += 1;
      return void incoming.destroy();
    }
    if (mode === 'swallow') return;
    const outgoing = connect(Number(target.port), target.hostname);
    track(outgoing);
    const isForgotten = (): boolean => forgotten.has(incoming);
    const passes = (): boolean => (mode === 'pass' || mode === 'refuse') && !silenced.has(incoming) && !isForgotten();
    incoming.once('data', (data) => named.set(incoming, applicationOf(data)));
    incoming.on('data', (data) => (passes() || mode === 'lose answers') && outgoing.write(data));
    outgoing.on('data', (data) => (mode === 'lose answers' ? incoming.destroy() : passes() && incoming.write(data)));
    incoming.on('end', () => isForgotten() || incoming.end());
    incoming.on('close', () => isForgotten() || outgoing.destroy());
    outgoing.on('close', () => isForgotten() || incoming.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => [sockets, named, silenced, forgotten].forEach((each) => each.delete(socket)));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    get refused() {
      return refused;
    },
    cut: () => {
      mode = 'cut';
      endAll();
    },
    refuse: () => void (mode = 'refuse'),
    swallow: () => void (mode = 'swallow'),
    swallowOnly: (application) => {
      for (const [socket, name] of named) if (name === application) silenced.add(socket);
    },
    loseAnswers: () => void (mode = 'lose answers'),
    forget: () => sockets.forEach((socket) => forgotten.add(socket)),
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
