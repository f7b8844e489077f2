import { freePort } from '../support/http/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Client } from '../support/http/client.js';
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
    const [port, database, provider] = [await freePort(), await createTestDatabase(), await ScriptedProvider.start()];
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
    await this.server?.close();
    this.server = undefined;
  }

  async start(): Promise<void> {
    this.server ??= await startAt(this.port, this.database, this.provider, this.env);
  }

  async close(): Promise<void> {
    this.copy.close();
    await this.stop();
    await this.provider.stop();
    await this.database.drop();
  }

  /** Starts a flow. @returns the id of its integration, and what its user may do. */
  async flow(): Promise<Flow> {
    return this.begun((await this.client.rest('POST', '/integrations/connect', { body: { type: 'oauth_app' } })).body);
  }

  /** Starts another flow of an integration. */
  async reconnect(id: string): Promise<Flow> {
    return this.begun((await this.client.rest('POST', `/integrations/${id}/reconnect`, { body: {} })).body);
  }

  private begun(body: { integration_id: string; version?: number; redirect_url: string }): Flow {
    const callback = async (outcome: Record<string, string>) => {
      const query = new URLSearchParams({ state: stateOf(body.redirect_url), ...outcome });
      await fetch(`${this.service.url}/oauth/callback/oauth_app?${query.toString()}`);
    };
    return {
      id: body.integration_id,
      version: body.version ?? 1,
      grant: () => callback({ code: 'alice' }),
      deny: () => callback({ error: 'access_denied' }),
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
