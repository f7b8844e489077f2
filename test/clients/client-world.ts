import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '../support/http/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { type Answer, Client } from '../support/http/client.js';
import { appsOf, stateOf } from '../integrations/world.js';
import { scriptedApps } from '../integrations/scripted-apps.js';
import { ScriptedProvider } from '../integrations/scripted-provider.js';
import { Copy } from './guide.js';

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_NETWORK: 'true' };

/** A flow that has begun, and what its user may do. */
export interface Flow {
  /** The integration. */
  id: string;
  /** The version of the integration when it began. */
  version: number;
  grant: () => Promise<void>;
  deny: () => Promise<void>;
}

/** The service at an address that stays when it restarts, and the blocks of the guide in a folder. */
export class ClientWorld {
  private standIn: Server | undefined;

  private constructor(
    readonly copy: Copy,
    readonly client: Client,
    readonly apiKey: string,
    private readonly port: number,
    private readonly database: TestDatabase,
    private readonly provider: ScriptedProvider,
    private readonly env: Readonly<Record<string, string>>,
    private server: TestServer | undefined,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ClientWorld> {
    const [port, database, provider] = [
      Number(env.PORT ?? (await freePort())),
      await createTestDatabase(),
      await ScriptedProvider.start(),
    ];
    const server = await startAt(port, database, provider, env);
    const apiKey = await server.key();
    const copy = new Copy({ BASE_URL: server.url, API_KEY: apiKey });
    return new ClientWorld(copy, new Client(server.url, apiKey), apiKey, port, database, provider, env, server);
  }

  /** The service; it must be running. */
  get service(): TestServer {
    return this.server!;
  }

  async stop(): Promise<void> {
    await this.endStandIn();
    await this.server?.close();
    this.server = undefined;
  }

  async start(): Promise<void> {
    await this.endStandIn();
    this.server ??= await startAt(this.port, this.database, this.provider, this.env);
  }

  /**
   * Stops the service. Until it starts again each request gets no response the first time, the page of a proxy the second time,
   * and then 503. @returns the URLs and bodies of those that came a third time, as they come.
   */
  async away(): Promise<string[]> {
    await this.stop();
    const known = new Map<string, number>();
    const repeated: string[] = [];
    const error = { code: 'UNAVAILABLE', message: 'Try again.' };
    const body = JSON.stringify({ ...error, errors: [{ message: error.message, extensions: { code: error.code } }] });
    this.standIn = createServer((request, response) => {
      let given = request.url!;
      request.on('data', (chunk: Buffer) => (given += chunk.toString()));
      request.on('end', () => {
        const before = known.get(given) ?? 0;
        known.set(given, before + 1);
        if (before === 0) return void request.socket.destroy();
        if (before === 1) return void response.writeHead(502, { connection: 'close' }).end('<h1>Bad Gateway</h1>');
        repeated.push(given);
        const headers = { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' };
        response.writeHead(503, headers).end(body);
      });
    }).listen(this.port, '127.0.0.1');
    await once(this.standIn, 'listening');
    return repeated;
  }

  async close(): Promise<void> {
    this.copy.close();
    await this.stop();
    await this.provider.stop();
    await this.database.drop();
  }

  /** Starts a flow. @returns the id of its integration, and what its user may do. */
  async flow(): Promise<Flow> {
    return this.begun(await this.client.rest('POST', '/integrations/connect', { body: { type: 'oauth_app' } }));
  }

  /** The token of a connect session that lasts for so many seconds. */
  async session(seconds = 600): Promise<string> {
    const body = { type: 'oauth_app', expires_in: seconds };
    return (await this.client.rest('POST', '/connect_sessions', { body })).body.token as string;
  }

  /** Returns to the service with a user's answer to a flow: access by default. */
  async answer(redirectUrl: string, outcome: Readonly<Record<string, string>> = { code: 'alice' }): Promise<void> {
    const query = new URLSearchParams({ state: stateOf(redirectUrl), ...outcome });
    await fetch(`${this.service.url}/oauth/callback/oauth_app?${query.toString()}`);
  }

  /** Starts another flow of an integration. */
  async reconnect(id: string): Promise<Flow> {
    return this.begun(await this.client.rest('POST', `/integrations/${id}/reconnect`, { body: {} }));
  }

  private async endStandIn(): Promise<void> {
    const { standIn } = this;
    if (standIn === undefined) return;
    this.standIn = undefined;
    standIn.closeAllConnections();
    standIn.close();
    await once(standIn, 'close');
  }

  private begun({ body, headers }: Answer): Flow {
    const redirectUrl = body.redirect_url as string;
    return {
      id: body.integration_id,
      version: Number(/after_version=(\d+)>; rel="monitor"/.exec(headers.get('link')!)![1]),
      grant: () => this.answer(redirectUrl),
      deny: () => this.answer(redirectUrl, { error: 'access_denied' }),
    };
  }
}

function startAt(
  port: number,
  database: TestDatabase,
  provider: ScriptedProvider,
  env: Readonly<Record<string, string>>,
): Promise<TestServer> {
  const apps = appsOf(scriptedApps(provider.url));
  return startTestServer({ database, apps, env: { ...ENV, ...env, PORT: String(port) } });
}
