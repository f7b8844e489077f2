import { type App } from '../../src/features/integrations/apps/app.js';
import { parseAppsFile } from '../../src/features/integrations/apps/apps-file.js';
import { builtInTypes } from '../../src/features/integrations/apps/index.js';
import { type Browser } from '../support/browser/browser.js';
import { type Answer, Client } from '../support/http/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.js';
import { scriptedApps } from './scripted-apps.js';
import { ScriptedProvider } from './scripted-provider.js';

/** An open flow. */
export interface Started {
  id: string;
  redirectUrl: string;
  state: string;
  connectUrl: string;
  version: number;
}

/** The page, redirect or error of a callback. */
export interface Landing {
  status: number;
  location: string | null;
  page: string;
}

const CONNECT = `mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) {
  ... on IntegrationAuthorization { redirectUrl integrationId connectUrl version } } }`;
const HISTORY = `query ($id: ID!, $page: Int) { integration(id: $id) { history(perPage: 100, page: $page) {
  items { id version previousStatus status reason } } } }`;

/** A server, a scripted application, and a client with a key. */
export class IntegrationWorld {
  private constructor(
    readonly server: TestServer,
    readonly provider: ScriptedProvider,
    readonly client: Client,
  ) {}

  static async open(
    options: Omit<TestServerOptions, 'apps'> = {},
    more: (baseUrl: string) => unknown[] = () => [],
  ): Promise<IntegrationWorld> {
    const provider = await ScriptedProvider.start();
    const server = await startTestServer({
      ...options,
      apps: (baseUrl) => appsOf([...scriptedApps(provider.url), ...more(baseUrl)]),
    });
    return new IntegrationWorld(server, provider, new Client(server.baseUrl, await server.key()));
  }

  /** A second process of the same service: same database, apps and public URL, and the same clock by default. */
  async another(env: Record<string, string> = {}, clock = this.server.clock): Promise<TestServer> {
    const { database, baseUrl } = this.server;
    const apps = appsOf(scriptedApps(this.provider.url));
    return startTestServer({ database, clock, apps, env: { BASE_URL: baseUrl, ...env } });
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.provider.stop();
  }

  /** Starts a flow; `more` are REST's optional fields in GraphQL's names. */
  async start(type = 'oauth_app', more: Record<string, unknown> = {}, client = this.client): Promise<Started> {
    const { body } = await client.graphql(CONNECT, { input: { type, ...more } });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    const { redirectUrl, integrationId, connectUrl, version } = body.data.connectIntegration;
    return { id: integrationId, redirectUrl, connectUrl, version, state: stateOf(redirectUrl) };
  }

  /** Starts another flow of the same integration. */
  async restart(id: string): Promise<Started> {
    const { status, body } = await this.client.rest('POST', `/integrations/${id}/reconnect`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const state = stateOf(body.redirect_url as string);
    return { id, redirectUrl: body.redirect_url, connectUrl: '', version: body.version, state };
  }

  /** The browser's redirect back from the application. */
  async callback(
    query: Record<string, string>,
    { type = 'oauth_app', browser }: { type?: string; browser?: Browser } = {},
  ): Promise<Landing> {
    const url = `${this.server.baseUrl}/oauth/callback/${type}?${new URLSearchParams(query).toString()}`;
    const response = await (browser?.visit(url) ?? fetch(url, { redirect: 'manual' }));
    return { status: response.status, location: response.headers.get('location'), page: await response.text() };
  }

  /** A whole first flow that succeeds. @returns the integration's id. */
  async connected(user = 'alice', type = 'oauth_app'): Promise<string> {
    const { id, state } = await this.start(type);
    const { status } = await this.callback({ state, code: user }, { type });
    if (status !== 200 || (await this.get(id)).status !== 'connected') throw new Error('The flow did not succeed.');
    return id;
  }

  async get(id: string, query = ''): Promise<Record<string, any>> {
    const { status, body } = await this.client.rest('GET', `/integrations/${id}${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as Record<string, any>;
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.client.rest('POST', path, { body });
  }

  /** All changes, oldest first, as `previous>status:reason`. */
  async history(id: string): Promise<string[]> {
    const changes = await this.changes(id);
    return changes.map(({ previousStatus, status, reason }) =>
      `${previousStatus ?? ''}>${status}:${reason}`.toLowerCase(),
    );
  }

  async changes(id: string): Promise<Record<string, any>[]> {
    const items: Record<string, any>[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await this.client.graphql(HISTORY, { id, page });
      const found = body.data.integration.history.items as Record<string, any>[];
      items.push(...found);
      if (found.length < 100) return items.reverse();
    }
  }
}

/** The `state` of an authorization URL. */
export function stateOf(redirectUrl: string): string {
  return new URL(redirectUrl).searchParams.get('state')!;
}

/** Parses apps in the format of APPS_FILE. */
export function appsOf(file: unknown[]): App[] {
  const { apps, faults } = parseAppsFile(JSON.stringify(file), builtInTypes);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return apps;
}
