import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { Client } from '../http/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../server.js';
import { until } from '../until.js';

/** A request as the target of an action received it. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The response of the target. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The options of the server; the operator's apps may call the target. */
export interface RunWorldOptions extends Omit<TestServerOptions, 'apps'> {
  apps?: (baseUrl: string, targetUrl: string) => readonly App[];
}

/** The real service with its worker, and a server on loopback as the target of actions. */
export class RunWorld {
  readonly received: Received[] = [];
  /** Requests of `received` without a response that were not aborted. */
  readonly underWay = new Set<Received>();
  /** The handler of requests; with undefined the target never responds. */
  reply: (request: Received) => Reply | undefined | Promise<Reply | undefined> = () => ({ body: { ok: true } });

  private constructor(
    readonly server: TestServer,
    readonly client: Client,
    private readonly target: Server,
  ) {
    target.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        this.underWay.add(received);
        response.once('close', () => this.underWay.delete(received));
        void Promise.resolve(this.reply(received)).then((reply) => {
          if (reply === undefined) return;
          const { status = 200, headers: extra = {}, body } = reply;
          response.writeHead(status, { 'content-type': 'application/json', ...extra });
          response.end(typeof body === 'string' ? body : JSON.stringify(body ?? null));
        });
      });
    });
  }

  static async open({ apps, ...options }: RunWorldOptions = {}): Promise<RunWorld> {
    const target = createServer();
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const server = await startTestServer({
      ...options,
      ...(apps && { apps: (baseUrl) => apps(baseUrl, urlOf(target)) }),
      env: { ALLOW_PRIVATE_NETWORK: 'true', ...options.env },
    });
    return new RunWorld(server, new Client(server.url, await server.key()), target);
  }

  get targetUrl(): string {
    return urlOf(this.target);
  }

  async close(): Promise<void> {
    this.target.closeAllConnections();
    this.target.close();
    await this.server.close();
  }

  /** Creates an active workflow with these actions and a webhook trigger. @returns its id and the path of its hook. */
  async workflow(actions: readonly object[]): Promise<{ id: string; hook: string }> {
    const { body } = await this.client.rest('POST', '/workflows', { body: { name: 'Flow' } });
    await this.client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
    await this.client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
    const trigger = await this.client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
    return { id: body.id, hook: new URL(trigger.body.webhook_url).pathname };
  }

  /** Posts to a hook. @returns the id of the run. */
  async fire(hook: string, body: unknown = null): Promise<string> {
    const answer = await this.client.send('POST', hook, { body: JSON.stringify(body) });
    return answer.body.run_id;
  }

  async run(id: string): Promise<any> {
    return (await this.client.rest('GET', `/runs/${id}`)).body;
  }

  /** The run once it has ended. */
  async ended(id: string): Promise<any> {
    await until(async () => (await this.run(id)).finished_at !== null);
    return this.run(id);
  }

  /** When the run continues, once it sleeps. */
  async asleep(id: string): Promise<string> {
    let resumesAt: string | null = null;
    const query = '($id: ID!) { run(id: $id) { resumesAt } }';
    await until(async () => {
      ({ resumesAt } = (await this.client.graphql(`query ${query}`, { id })).body.data.run);
      return resumesAt !== null;
    });
    return resumesAt!;
  }

  /** An action that calls the target. */
  call(name: string, config: object = {}): object {
    return { name, kind: 'http_request', config: { method: 'POST', url: `${this.targetUrl}/${name}`, ...config } };
  }
}

function urlOf(target: Server): string {
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
}
