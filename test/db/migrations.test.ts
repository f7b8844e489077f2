import { globSync } from 'node:fs';
import { type DataSource, getMetadataArgsStorage, type QueryRunner } from 'typeorm';
import { schemaText } from '../../scripts/release/schema-text.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { migrations } from '../../src/platform/db/migrations/index.js';
import { entities } from '../../src/process/entities.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

/** Columns that only SQL reads and writes: no response and no entity contains them. */
const BESIDE_ENTITIES = [
  'action_lists.integration_ids',
  'events.body',
  'events.payload_id',
  'events.tail',
  'events.urls_of',
  'integrations.access_expires_at',
  'integrations.credentials',
  'integrations.events_digest',
  'integrations.notice_at',
  'integrations.probed_at',
  'integrations.refresh_expires_at',
  'integrations.renewal_id',
  'integrations.renewal_until',
  'integrations.trial_id',
  'integrations.trial_until',
  'integrations.unauthorized_since',
  'integrations.unmailed_break',
  'runs.cancel_requested',
  'runs.claim',
  'runs.firing_key',
  'runs.input_bytes',
  'runs.payload_id',
  'runs.traceparent',
  'runs.workers_lost',
  'steps.blocked_since',
  'steps.payload_id',
  'webhook_deliveries.hops',
];

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  source = createDataSource({ url: database.url, poolSize: 2 }, entities);
  await source.initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

describe('the entities', () => {
  it('have no table, column, type or default that the migrations lack', async () => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    // In the other direction only the migrations may have more: indexes, constraints, defaults.
    const lacking = upQueries
      .map(({ query }) => query)
      .filter((query) => !/^(ALTER TABLE \S+ (ALTER COLUMN \S+ )?)?DROP /.test(query));
    expect(lacking).toEqual([]);
  });

  it('lack only the columns listed here', async () => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const left = upQueries.flatMap(
      ({ query }) => /^ALTER TABLE "(\w+)" DROP COLUMN "(\w+)"$/.exec(query)?.slice(1).join('.') ?? [],
    );
    expect(left.sort()).toEqual(BESIDE_ENTITIES);
  });

  it('are all listed', async () => {
    for (const file of globSync('src/**/*.entity.ts', { cwd: packageRoot })) await import(`../../${file}`);
    const declared = getMetadataArgsStorage().tables.map(({ target }) => target);
    expect(new Set(declared)).toEqual(new Set(entities));
  });
});

describe('the migrations', () => {
  it('are listed in the order of their times, each file once', () => {
    const files = globSync('src/platform/db/migrations/*/*.ts', { cwd: packageRoot }).map(
      (file) => /(\d+)-[\w-]+\.ts$/.exec(file)![1]!,
    );
    expect(migrations.map(({ name }) => /\d+$/.exec(name)![0])).toEqual(files.sort());
    for (const Migration of migrations) expect(new Migration().name).toBe(Migration.name);
  });

  it('can each be reverted and run again', async () => {
    const url = new URL(database.url);
    const empty = `${url.pathname.slice(1)}_empty`;
    await source.query(`CREATE DATABASE ${empty} TEMPLATE template0`);
    url.pathname = `/${empty}`;
    const fresh = await createDataSource({ url: url.href, poolSize: 1 }, []).initialize();
    try {
      const runner = fresh.createQueryRunner();
      const before = await schemaOf(url.href);
      const stages = [before];
      for (const Migration of migrations) stages.push(await after(url.href, () => new Migration().up(runner)));
      expect(new Set(stages).size).toBe(migrations.length + 1);
      await undoAll(runner, url.href, stages);
      const again: string[] = [before];
      for (const Migration of migrations) again.push(await after(url.href, () => new Migration().up(runner)));
      expect(again).toEqual(stages);
      await runner.release();
    } finally {
      await fresh.destroy();
      await source.query(`DROP DATABASE ${empty} WITH (FORCE)`);
    }
  });
});

async function undoAll(runner: QueryRunner, url: string, stages: readonly string[]): Promise<void> {
  for (const [index, Migration] of [...migrations.entries()].reverse()) {
    expect([Migration.name, await after(url, () => new Migration().down(runner))]).toEqual([
      Migration.name,
      stages[index],
    ]);
  }
}

async function after(url: string, work: () => Promise<void>): Promise<string> {
  await work();
  return schemaOf(url);
}

async function schemaOf(url: string): Promise<string> {
  return (await schemaText(url, { withPartitions: true })).join('\n');
}
