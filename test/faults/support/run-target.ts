import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** The target of actions in fault tests: it records every request by its `Idempotency-Key`. */
export class RunTarget {
  /** Received keys, in order: `<run id>-<step index>`. */
  readonly keys: string[] = [];
  /** Handles a request; without a response the request hangs. */
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end('{}');

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.keys.push(request.headers['idempotency-key'] as string);
      request.resume();
      this.answer(request, response);
    });
  }

  static async start(): Promise<RunTarget> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RunTarget(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** An action that calls `/<name>`. */
  call(name: string): object {
    return { name, kind: 'http_request', config: { method: 'POST', url: `${this.url}/${name}`, body: {} } };
  }

  /** Runs with a step after the start of a later one: a step recorded as succeeded was executed again. */
  get repeated(): string[] {
    const furthest = new Map<string, number>();
    const wrong: string[] = [];
    for (const key of this.keys) {
      const [run, index] = [key.slice(0, key.lastIndexOf('-')), Number(key.slice(key.lastIndexOf('-') + 1))];
      if (index < (furthest.get(run) ?? 0)) wrong.push(key);
      furthest.set(run, Math.max(index, furthest.get(run) ?? 0));
    }
    return wrong;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
