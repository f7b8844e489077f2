import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const QUERY = `subscription ($after: ID) { integrationStatusChanged(after: $after) { id } }`;

/** A client as it should be: whenever its socket closes it opens another, and goes on after the last change it heard. */
export class ResumingListener {
  /** Ids of changes, in the order in which they came. */
  readonly heard: string[] = [];
  /** Why its sockets were closed, one code each. */
  readonly closeCodes: number[] = [];
  private socket: WebSocket | undefined;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** Resolves when the first socket is acknowledged; what happens from then on is heard. */
  async start(): Promise<void> {
    await this.open();
  }

  stop(): void {
    this.stopped = true;
    this.socket?.close();
  }

  private async open(): Promise<void> {
    const socket = new WebSocket(this.url, 'graphql-transport-ws');
    this.socket = socket;
    const acknowledged = Promise.withResolvers<void>();
    socket.on('error', () => undefined);
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${this.key}` } })),
    );
    socket.on('message', (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString());
      if (type === 'connection_ack') {
        const variables = { after: this.heard.at(-1) };
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables } }));
        acknowledged.resolve();
      }
      if (type === 'next') this.heard.push(payload.data.integrationStatusChanged.id);
    });
    socket.on('close', (code) => {
      acknowledged.resolve();
      void this.openAgain(code);
    });
    await acknowledged.promise;
  }

  private async openAgain(code: number): Promise<void> {
    if (this.stopped) return;
    this.closeCodes.push(code);
    await sleep(50);
    await this.open();
  }
}
