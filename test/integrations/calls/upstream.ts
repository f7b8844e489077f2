import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { IntegrationWorld } from '../world.js';
import { type TestServerOptions } from '../../support/server.js';

/** A request as it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: Record<string, string[]>;
  body: Buffer;
}

/** The key that the application takes. */
export const KEY = 'good-key-4711';

/** An application whose responses a test writes itself. `/verify` accepts every key. */
export class Upstream {
  readonly requests: Arrived[] = [];
  /** Answers a request below `/base`, whose body has not been read. By default: 200 with `{}` once it has. */
  onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Requests whose connection the client has closed. */
  aborted = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.serve(request, response));
  }

  static async start(): Promise<Upstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Upstream(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** The apps `raw_app`, which takes its key in a header, and `query_app`, in the query. */
  apps(): unknown[] {
    return (['header', 'query'] as const).map((place) => ({
      type: place === 'header' ? 'raw_app' : 'query_app',
      name: 'Raw app',
      auth: {
        kind: 'api_key',
        placement: { in: place, name: place === 'header' ? 'X-Api-Key' : 'api_key', prefix: '' },
        verify: { method: 'GET', url: `${this.url}/verify`, ok: [200] },
      },
      api_base_url: `${this.url}/base`,
    }));
  }

  reset(): void {
    this.requests.length = 0;
    this.onRequest = undefined;
    this.aborted = 0;
  }

  get last(): Arrived {
    return this.requests.at(-1)!;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.url!.startsWith('/verify')) return void response.end('{}');
    response.once('close', () => {
      if (!response.writableFinished) this.aborted += 1;
    });
    const arrived: Arrived = {
      method: request.method!,
      url: request.url!,
      headers: request.headersDistinct as Record<string, string[]>,
      body: Buffer.alloc(0),
    };
    this.requests.push(arrived);
    if (this.onRequest !== undefined) return this.onRequest(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      arrived.body = Buffer.concat(chunks);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }
}

/** A server with the applications of an upstream, both connected. */
export class CallWorld {
  private constructor(
    readonly integrations: IntegrationWorld,
    readonly upstream: Upstream,
    /** The integration of `raw_app`. */
    readonly id: string,
    /** The integration of `query_app`. */
    readonly queryId: string,
  ) {}

  static async open(options: Omit<TestServerOptions, 'apps'> = {}): Promise<CallWorld> {
    const upstream = await Upstream.start();
    const integrations = await IntegrationWorld.open(options, () => upstream.apps());
    const connect = async (type: string) => {
      const { status, body } = await integrations.post('/integrations/connect', {
        type,
        credentials: { api_key: KEY },
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id as string;
    };
    return new CallWorld(integrations, upstream, await connect('raw_app'), await connect('query_app'));
  }

  get client() {
    return this.integrations.client;
  }

  get server() {
    return this.integrations.server;
  }

  /** Calls `raw_app` over REST. */
  call(body: Record<string, unknown>, id = this.id) {
    return this.integrations.post(`/integrations/${id}/call`, body);
  }

  /** Sends a request through the proxy of `raw_app`, with the key of the world. */
  proxy(path: string, init: RequestInit = {}, id = this.id): Promise<Response> {
    const headers = { authorization: `Bearer ${this.client.key}`, ...(init.headers as Record<string, string>) };
    const url = `${this.server.baseUrl}/v1/integrations/${id}/proxy${path}`;
    return fetch(url, { redirect: 'manual', ...init, headers });
  }

  async close(): Promise<void> {
    await this.integrations.close();
    await this.upstream.stop();
  }
}
