import { type GraphQLSchema } from 'graphql';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { makeThings } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { pendingWait } from '../support/worlds/pending-wait.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Named } from './values.js';

/** After this many requests all resources are created again, so that the database stays small. */
const TIDY_AFTER = 400;
const WITH_THINGS = `workflows, workflow_totals, integrations, runs, steps, firings, idempotency_keys, sandbox_grants`;

const CONNECT = `mutation { connectIntegration(input: { type: "sandbox_oauth" }) {
  ... on IntegrationAuthorization { redirectUrl connectUrl } } }`;

/** A server with things of two accounts, which random requests change, and what its database holds. */
export class FuzzWorld {
  private pool = new Map<string, string[]>();
  private requests = 0;
  private doors: Record<string, string> | undefined;
  private tables: readonly string[] = [];

  private constructor(
    readonly server: TestServer,
    readonly client: Client,
    readonly stranger: Client,
    readonly schema: GraphQLSchema,
  ) {}

  static async open(): Promise<FuzzWorld> {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    const client = new Client(server.baseUrl, await server.key());
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
    const world = new FuzzWorld(server, client, stranger, await clientSchema(client));
    await world.refill();
    return world;
  }

  /** A client without a key. */
  get anybody(): Client {
    return new Client(this.server.baseUrl);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** A value with the ids of things in the place of their names. */
  resolve(value: unknown): unknown {
    if (value instanceof Named) return this.id(value);
    if (Array.isArray(value)) return value.map((inner) => this.resolve(inner));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.resolve(inner)]));
  }

  /** The id of a thing of that kind; there is always one where the kind is known. */
  id({ kind, index }: Named): string {
    const ids = this.pool.get(kind) ?? [];
    return ids[index % ids.length] ?? `unknown_${kind}`;
  }

  /** Creates deleted resources again, and now and then all of them. Call it before each request. */
  async prepare(): Promise<void> {
    this.requests += 1;
    if (this.requests % TIDY_AFTER === 0) {
      await this.server.db.query(`TRUNCATE ${WITH_THINGS} CASCADE`);
      await this.refill();
    } else if (this.requests % 20 === 0) {
      await this.refill();
    }
  }

  /** Tokens of doors that need no key, by the names that random requests give them. */
  async addresses(): Promise<Record<string, string>> {
    if (this.doors === undefined) {
      const hook = await this.client.rest('GET', `/triggers/${this.id(new Named('trigger', 0))}`);
      const flow = await this.client.graphql(CONNECT);
      const { redirectUrl, connectUrl } = flow.body.data.connectIntegration;
      this.doors = {
        hook: lastPart(hook.body.webhook_url as string),
        events: await this.eventsToken(),
        ticket: lastPart(connectUrl as string),
        state: new URL(redirectUrl as string).searchParams.get('state')!,
        sandbox: encodeURIComponent(`${this.server.baseUrl}/oauth/callback/sandbox_oauth`),
        callback: await this.waitToken('callback', 'url'),
        approval: await this.waitToken('approval', 'url'),
        connection: await this.waitToken('connection', 'connect_url'),
      };
    }
    return this.doors;
  }

  /** A hash of every row of each table, without when keys were last used. */
  async fingerprint(): Promise<Record<string, string>> {
    if (this.tables.length === 0) {
      const tables = await this.server.db.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
           AND relname !~ '^(events|event_arrivals|event_counters)'`,
      );
      // The sandbox is another party: tokens are revoked there a moment later.
      this.tables = tables.map(({ name }) => name).filter((name) => name !== 'sandbox_grants');
    }
    const hashes = this.tables.map((name) => {
      const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      return hashOf(name, row, `"${name}"`);
    });
    // An event is moved and numbered after its commit, by the next reader at the latest.
    const event = 'id, account_id, type, at, body, payload_id, tail, urls_of';
    hashes.push(
      hashOf('events', 't::text', `(SELECT ${event} FROM events UNION ALL SELECT ${event} FROM event_arrivals)`),
    );
    const rows = await this.server.db.transaction(async (tx) => {
      // So many tables make PostgreSQL start parallel workers, which takes far longer than to read few rows.
      await tx.query(`SET LOCAL max_parallel_workers_per_gather = 0`);
      return tx.query<{ name: string; hash: string }>(hashes.join(' UNION ALL '));
    });
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  }

  private async waitToken(kind: string, field: string): Promise<string> {
    const { wait } = await pendingWait(this.server.db, this.id(new Named('run', 0)), kind);
    const { body } = await this.client.rest('GET', `/waits/${wait}`);
    return lastPart(body[field] as string);
  }

  /**
   * Of an application without signatures but with a handshake, whose key does not exist: it is Slack's by name only.
   */
  private async eventsToken(): Promise<string> {
    const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    const { id } = (await this.client.rest('POST', '/integrations/connect', { body })).body;
    await this.server.db.query(`UPDATE integrations SET type = 'slack' WHERE id = $1`, [
      fromPublicId('int', id as string),
    ]);
    const workflow_id = this.id(new Named('workflow', 0));
    await this.client.rest('POST', '/triggers', {
      body: { workflow_id, type: 'app_event', config: { event: 'message' } },
    });
    const links = await this.client.graphql('query ($id: ID!) { integration(id: $id) { eventsUrl } }', { id });
    return lastPart(links.body.data.integration.eventsUrl as string);
  }

  private async refill(): Promise<void> {
    this.doors = undefined;
    const own = await makeThings(this.client, this.server.db);
    const foreign = await makeThings(this.stranger, this.server.db);
    const oauth = await this.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    for (const [kind, id] of Object.entries({ ...own, foreign_workflow: foreign.workflow })) {
      if (id !== undefined) this.pool.set(kind, [id, ...(this.pool.get(kind) ?? [])].slice(0, 4));
    }
    this.pool.get('integration')!.unshift(oauth.body.integration_id as string);
  }
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** Selects a hash of all rows, in any order. `row` is their text. */
function hashOf(name: string, row: string, from: string): string {
  return `SELECT '${name}' AS name, md5(string_agg(md5(${row}), '' ORDER BY md5(${row}))) AS hash FROM ${from} t`;
}
