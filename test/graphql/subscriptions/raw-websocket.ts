import WebSocket from 'ws';

/** A WebSocket as it is, without a protocol library: what it got, and how it ended. */
export class RawWebSocket {
  readonly messages: any[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly socket: WebSocket;
  private readonly waiting: (() => void)[] = [];

  constructor(
    url: string,
    options: WebSocket.ClientOptions = {},
    protocol: string | string[] = 'graphql-transport-ws',
  ) {
    this.socket = new WebSocket(url, protocol, options);
    this.socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()));
      this.waiting.splice(0).forEach((wake) => wake());
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** Opens a socket; with a key it is also initialised. */
  static async open(url: string, key?: string, options: WebSocket.ClientOptions = {}): Promise<RawWebSocket> {
    const raw = new RawWebSocket(url, options);
    await raw.opened();
    if (key !== undefined) {
      raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } });
      await raw.message(({ type }) => type === 'connection_ack');
    }
    return raw;
  }

  async opened(): Promise<void> {
    await new Promise((resolve) => this.socket.once('open', resolve));
  }

  /** Sends a text as it is, anything else as JSON. */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables?: object): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
  }

  /** The first message, gone by or to come, that matches. */
  async message(matches: (message: any) => boolean): Promise<any> {
    for (;;) {
      const found = this.messages.find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  on(event: 'ping', listener: () => void): void {
    this.socket.on(event, listener);
  }

  /** An unsolicited pong. */
  pong(): void {
    this.socket.pong('unasked');
  }

  close(): void {
    this.socket.close();
  }

  /** Vanishes without a word. */
  terminate(): void {
    this.socket.terminate();
  }
}
