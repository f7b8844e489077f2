import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { type Fixture, FIXTURES } from '../../scripts/release/fixture.js';
import { schemaText } from '../../scripts/release/schema-text.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { migrations } from '../../src/platform/db/migrations/index.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { loadInto } from '../../src/process/backup/load-into.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { noteSecret } from '../support/database/secrets.js';
import { Client } from '../support/http/client.js';
import { freePort } from '../support/http/free-port.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const folder = join(packageRoot, FIXTURES);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** What a value has in common with an earlier one: later versions may add fields. */
function common(value: unknown, earlier: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(earlier)) return value.map((each, place) => common(each, earlier[place]));
  if (typeof value !== 'object' || value === null || typeof earlier !== 'object' || earlier === null) return value;
  const known = Object.entries(value).filter(([name]) => name in earlier);
  return Object.fromEntries(
    known.map(([name, each]) => [name, common(each, (earlier as Record<string, unknown>)[name])]),
  );
}

describe.each(files)('a database of %s', (file) => {
  const fixture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture;
  let admin: TestDatabase;
  let database: TestDatabase;
  let server: TestServer;

  beforeAll(async () => {
    noteSecret(fixture.key);
    admin = await createTestDatabase();
    database = await emptyDatabase(admin, 'filled');
    const rows = ({ name }: { name: string }) => Readable.from(fixture.rows[name]!.map((line) => `${line}\n`));
    await loadInto(
      database.url,
      { ...fixture, rows, signal: new AbortController().signal },
      {
        beforeCommit: async () => undefined,
        afterCommit: () => migrate({ url: database.url, migrations, isLoading: true }),
      },
    );
    const port = await freePort();
    const env = { ENCRYPTION_KEY: fixture.encryptionKey, BASE_URL: fixture.baseUrl, PORT: String(port) };
    server = await startTestServer({ database, env: { ...env, ROLES: 'api' } });
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
    await admin.drop();
  });

  it('has the schema that the same migrations make now: a released one is never edited', async () => {
    const other = await emptyDatabase(admin, 'schema');
    try {
      const had = migrations.filter(({ name }) => fixture.migrations.includes(name));
      await migrate({ url: other.url, migrations: had });
      expect(await schemaText(other.url)).toEqual(fixture.schema);
    } finally {
      await other.drop();
    }
  });

  it('reads the same after the migrations', async () => {
    const client = new Client(server.url, fixture.key);
    expect(fixture.reads.length).toBeGreaterThan(10);
    for (const { path, body } of fixture.reads) {
      const { status, body: now } = await client.send('GET', `/v1${path}`);
      expect([path, status, common(now, body)]).toEqual([path, 200, body]);
    }
  });

  it('works on', async () => {
    const client = new Client(server.url, fixture.key);
    const { body: list } = await client.send<{ data: { id: string; name: string }[] }>('GET', '/v1/workflows');
    const { id } = list.data.find(({ name }) => name === 'Asks')!;
    const { body: run } = await client.send<{ id: string }>('POST', `/v1/workflows/${id}/runs`, {
      body: { input: {} },
    });
    const port = await freePort();
    const worker = await startTestServer({
      database,
      env: {
        ENCRYPTION_KEY: fixture.encryptionKey,
        BASE_URL: fixture.baseUrl,
        ROLES: 'worker',
        PORT: String(port),
      },
    });
    try {
      await until(async () => {
        const { body } = await client.send<{ status: string }>('GET', `/v1/runs/${run.id}`);
        return body.status === 'waiting';
      });
    } finally {
      await worker.close();
    }
  });
});

/** A database without a schema, beside a given one. */
async function emptyDatabase({ url }: TestDatabase, what: string): Promise<TestDatabase> {
  const of = new URL(url);
  const name = `${of.pathname.slice(1)}_${what}`;
  const execute = async (statement: string) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await execute(`CREATE DATABASE ${name} TEMPLATE template0`);
  of.pathname = `/${name}`;
  return { url: of.href, drop: () => execute(`DROP DATABASE ${name} WITH (FORCE)`) };
}
