import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex } from 'node:stream';

const LOOK_MS = 100;
/** With a limit of its own, however long, Node respects that of the header `Keep-Alive`. */
const AGENT = { keepAlive: true, timeout: 60_000 };

/** One process behind the balancer. */
interface Backend {
  port: number;
  ready: boolean;
  /** The requests and upgrades passed to it. */
  served: number;
  agent: Agent;
}

/**
 * A minimal load balancer: round-robin over the processes whose `/readyz` returns 200, polled ten times a second. It
 * never repeats a request: the client sees the failure of a process (502).
 */
export class Balancer {
  private readonly backends: Backend[];
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private readonly upgraded = new Set<Duplex>();
  private looking: Promise<void> | undefined;
  private turn = 0;

  private constructor(ports: number[]) {
    this.backends = ports.map((port) => ({ port, ready: false, served: 0, agent: new Agent(AGENT) }));
    this.server = createServer((incoming, answer) => this.pass(incoming, answer));
    this.server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.upgrade(incoming, socket, head);
    });
    this.timer = setInterval(() => {
      // A busy machine responds slowly: one poll at a time.
      this.looking ??= this.look().finally(() => (this.looking = undefined));
    }, LOOK_MS);
  }

  static async start(ports: number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    await balancer.look();
    await new Promise<void>((resolve) => balancer.server.listen(0, resolve));
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get isComplete(): boolean {
    return this.backends.every(({ ready }) => ready);
  }

  /** The requests passed to each process since the start. */
  get shares(): number[] {
    return this.backends.map(({ served }) => served);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    this.upgraded.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.server.close(resolve));
    for (const { agent } of this.backends) agent.destroy();
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        const answer = await fetch(`http://localhost:${backend.port}/readyz`).catch(() => undefined);
        backend.ready = answer?.status === 200;
      }),
    );
  }

  private next(): Backend | undefined {
    const ready = this.backends.filter((backend) => backend.ready);
    const backend = ready[(this.turn += 1) % Math.max(1, ready.length)];
    if (backend !== undefined) backend.served += 1;
    return backend;
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const fail = (reason: string): void => void answer.writeHead(502).end(reason);
    const backend = this.next();
    if (backend === undefined) return fail('no process is ready');
    const { url: path, method, headers } = incoming;
    const passed = request({ port: backend.port, agent: backend.agent, path, method, headers }, (got) => {
      const { connection: _, 'keep-alive': __, ...rest } = got.headers;
      answer.writeHead(got.statusCode!, rest);
      got.pipe(answer);
    });
    passed.once('error', (error) => fail(`${backend.port}: ${error.message}`));
    incoming.pipe(passed);
  }

  private upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const backend = this.next();
    if (backend === undefined) return void socket.destroy();
    const passed = connect(backend.port);
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
    }
    passed.write(`${lines.join('\r\n')}\r\n\r\n`);
    passed.write(head);
    socket.pipe(passed).pipe(socket);
    for (const [one, other] of [
      [socket, passed],
      [passed, socket],
    ] as const) {
      this.upgraded.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => this.upgraded.delete(one));
    }
  }
}
