import { fromPublicId } from '../../src/platform/ids/ids.js';
import { storedText } from '../../src/platform/payloads.js';
import { appsOf } from '../integrations/world.js';
import { type Answer, Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { sourceApps } from './source-apps.js';
import { TestClock } from '../support/clock.js';

/** A connected integration that receives events. */
export interface Source {
  id: string;
  /** The path of its `eventsUrl`. */
  path: string;
  secret: string | null;
}

export interface EventAnswer {
  accepted?: boolean;
  run_ids?: string[];
  code?: string;
}

const LINKS = `query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret } }`;

/** The real server over HTTP, with apps that use every way to send events. */
export class EventWorld {
  private constructor(
    readonly server: TestServer,
    readonly client: Client,
  ) {}

  /** Without a worker by default: runs stay queued. */
  static async open(env: Record<string, string> = {}, clock = new TestClock()): Promise<EventWorld> {
    const apps = (baseUrl: string) => appsOf(sourceApps(baseUrl));
    const server = await startTestServer({ apps, clock, env: { ROLES: 'api', ...env } });
    return new EventWorld(server, new Client(server.baseUrl, await server.key()));
  }

  /** A second process of the same service. */
  another(env: Record<string, string> = {}): Promise<TestServer> {
    const { database, clock, baseUrl } = this.server;
    const apps = appsOf(sourceApps(baseUrl));
    return startTestServer({ database, clock, apps, env: { ROLES: 'api', BASE_URL: baseUrl, ...env } });
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async connect(type: string, client = this.client): Promise<Source> {
    const credentials = { api_key: 'sandbox_valid_key' };
    const { status, body } = await client.rest('POST', '/integrations/connect', { body: { type, credentials } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return this.sourceOf(body.id as string, client);
  }

  /**
   * A connected integration of a type of the catalog, whose provider no test can reach: one of the sandbox's, given
   * that type and the account that it has there.
   */
  async connectCatalog(type: string, externalId: string | null = null, client = this.client): Promise<Source> {
    const { id } = await this.connect('unsigned', client);
    await this.server.db.query(`UPDATE integrations SET type = $2, external_id = $3 WHERE id = $1`, [
      fromPublicId('int', id),
      type,
      externalId,
    ]);
    return this.sourceOf(id, client);
  }

  /** The current events URL and secret of an integration, read by its account. */
  async sourceOf(id: string, client = this.client): Promise<Source> {
    const links = (await client.graphql(LINKS, { id })).body.data.integration;
    return { id, path: new URL(links.eventsUrl as string).pathname, secret: links.eventsSecret };
  }

  /** `PUT /integrations/{id}` of an account's own. */
  update({ id }: { id: string }, body: object, client = this.client): Promise<Answer> {
    return client.rest('PUT', `/integrations/${id}`, { body });
  }

  async workflow(client = this.client): Promise<string> {
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'Flow' } });
    await client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
    return body.id;
  }

  /** On a new active workflow by default. */
  async trigger(config: object, { workflowId = '', client = this.client } = {}): Promise<any> {
    const workflow_id = workflowId || (await this.workflow(client));
    const { status, body } = await client.rest('POST', '/triggers', {
      body: { workflow_id, type: 'app_event', config },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  async statusOf({ id }: { id: string }): Promise<string> {
    return (await this.client.rest('GET', `/triggers/${id}`)).body.status;
  }

  /** Posts as an application does, without a key. */
  post(
    { path }: Pick<Source, 'path'>,
    body: unknown,
    headers: Record<string, string> = {},
    baseUrl = this.server.baseUrl,
  ): Promise<Answer<EventAnswer>> {
    return new Client(baseUrl).send('POST', path, { body, headers });
  }

  async run(id: string): Promise<any> {
    return (await this.client.rest('GET', `/runs/${id}`)).body;
  }

  /** The number of a trigger's runs in a status. */
  async count({ id }: { id: string }, status = 'queued'): Promise<number> {
    return (await this.client.rest('GET', `/runs?trigger_id=${id}&status=${status}`)).body.meta.total;
  }

  /** The input of a run as stored. */
  async inputOf(runId: string): Promise<string> {
    const [row] = await this.server.db.query<{ input: string }>(
      `SELECT ${storedText('r.input', 'r.payload_id')} AS input FROM runs r WHERE r.id = $1`,
      [fromPublicId('run', runId)],
    );
    return row!.input;
  }
}
