import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const QUERY = `subscription ($after: ID) { integrationStatusChanged(after: $after) { id } }`;

/** A well-behaved client: when its socket closes it opens another, and resumes after the last change it received. */
export class ResumingListener {
  /** Ids of received changes, in order. */
  readonly heard: string[] = [];
  /** The close codes of its sockets. */
  readonly closeCodes: number[] = [];
  private socket: WebSocket | undefined;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** Resolves when the first socket is acknowledged; it receives every later change. */
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
