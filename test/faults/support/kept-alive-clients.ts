import { Agent, type IncomingMessage, request } from 'node:http';

/** What came of the requests so far. */
export interface Outcomes {
  done: number;
  /** Responses that asked for the end of their connection. */
  closing: number;
  /** What each request met that got no 2xx. */
  failed: string[];
}

/** A connection of its own to one of the processes at a time. */
interface Connection {
  place: number;
  agent: Agent;
}

/**
 * Clients with many kept-alive connections straight to several processes, used in turn, so that each is idle for a while.
 * As a balancer does, they leave a process that asks for the end of a connection or refuses one, and repeat no request.
 */
export class KeptAliveClients {
  readonly outcomes: Outcomes = { done: 0, closing: 0, failed: [] };
  private readonly idle: Connection[];
  private isStopped = false;
  private lanes: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ports: readonly number[],
    private readonly key: string,
    private readonly count: number,
  ) {
    this.idle = Array.from({ length: count }, (_, index) => ({
      place: index,
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    }));
  }

  start(lanes: number): void {
    this.lanes = Promise.all(Array.from({ length: lanes }, () => this.lane()));
  }

  async stop(): Promise<Outcomes> {
    this.isStopped = true;
    await this.lanes;
    for (const { agent } of this.idle) agent.destroy();
    return this.outcomes;
  }

  /** Whether each connection was used since `before` requests were done. */
  isRoundSince(before: number): boolean {
    return this.outcomes.done > before + this.count;
  }

  private async lane(): Promise<void> {
    for (let turn = 0; !this.isStopped; turn += 1) {
      const connection = this.idle.shift()!;
      await this.ask(connection, turn % 2 === 0 ? 'GET' : 'POST').catch((error: NodeJS.ErrnoException) => {
        // Nothing of the request was sent.
        if (error.code === 'ECONNREFUSED') connection.place += 1;
        else this.outcomes.failed.push(`${error.code} ${error.message}`);
      });
      this.idle.push(connection);
    }
  }

  private async ask(connection: Connection, method: 'GET' | 'POST'): Promise<void> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const port = this.ports[connection.place % this.ports.length]!;
      const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
      request({ port, agent: connection.agent, method, path: '/v1/workflows', headers }, resolve)
        .once('error', reject)
        .end(method === 'POST' ? '{"name":"kept alive"}' : undefined);
    });
    await new Promise((resolve, reject) => response.resume().once('end', resolve).once('error', reject));
    if (response.headers.connection === 'close') {
      this.outcomes.closing += 1;
      connection.place += 1;
    }
    if (response.statusCode! < 300) this.outcomes.done += 1;
    else this.outcomes.failed.push(String(response.statusCode));
  }
}
