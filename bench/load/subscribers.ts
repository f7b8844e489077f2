import WebSocket from 'ws';

/** Subscribers to open: `perKey` for each key, all with the same operation. */
export interface Subscribe {
  port: number;
  keys: readonly string[];
  perKey: number;
  query: string;
  variables: Record<string, unknown>;
}

const AT_ONCE = 50;

/** Clients of graphql-transport-ws that subscribe and wait. */
export class Subscribers {
  private readonly sockets: WebSocket[] = [];
  private arrivals: number[] = [];
  private awaited: PromiseWithResolvers<number[]> | undefined;

  /**
   * Resolves when each subscription has delivered its first event and is live. @returns the number of subscriptions.
   */
  async open({ port, keys, perKey, ...operation }: Subscribe): Promise<number> {
    const texts = keys.flatMap((key) => Array.from({ length: perKey }, () => key)).values();
    const worker = async (): Promise<void> => {
      for (const key of texts) await this.subscribe(port, key, operation);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return this.sockets.length;
  }

  /** Starts to record arrival times of events. */
  listen(): void {
    this.arrivals = [];
    this.awaited = Promise.withResolvers();
  }

  /** The times at which the next event reached each subscriber: milliseconds since the epoch, ascending. */
  async heard(): Promise<number[]> {
    return this.awaited!.promise;
  }

  close(): void {
    for (const socket of this.sockets.splice(0)) socket.terminate();
  }

  private async subscribe(port: number, key: string, operation: object): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    });
    this.sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      let isLive = false;
      socket.on('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } })),
      );
      socket.on('message', (data: Buffer) => {
        if (isLive) return this.note(data);
        const { type } = JSON.parse(data.toString()) as { type: string };
        if (type === 'connection_ack') socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: operation }));
        else if (type === 'next') resolve(void (isLive = true));
        else if (type !== 'ping') reject(new Error(data.toString()));
      });
      socket.on('close', (code) => reject(new Error(`A socket was closed with ${code}.`)));
      socket.on('error', reject);
    });
  }

  private note(data: Buffer): void {
    // Pings arrive here too; parsing every text would make the clients the bottleneck.
    if (!data.includes('"next"')) return;
    this.arrivals.push(performance.timeOrigin + performance.now());
    if (this.arrivals.length === this.sockets.length) this.awaited?.resolve(this.arrivals);
  }
}
