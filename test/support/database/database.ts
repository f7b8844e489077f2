import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDataSource } from '../../../src/platform/db/data-source.js';
import { Database } from '../../../src/platform/db/database.js';
import { migrate } from '../../../src/platform/db/migrate.js';
import { migrations } from '../../../src/platform/db/migrations/index.js';
import { JobQueues } from '../../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { RUN_QUEUE } from '../../../src/features/runs/queue/run-queue.js';
import { ensurePartitions } from '../../../src/platform/partitions/weekly-partitions.js';
import { secretsInDatabase } from './secrets.js';

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  url: string;
  /**
   * Disconnects all clients and drops the database. Then rejects if it held an unencrypted secret: see `secrets.ts`.
   */
  drop: () => Promise<void>;
}

/** The advisory lock for creating the templates: "wfgt" in ASCII. */
const TEMPLATE_LOCK = 0x77666774;
/** The templates' names change with the migrations, since a server may outlive a change. */
const DIGEST = createHash('sha256')
  .update(migrations.map((migration) => migration.prototype.up.toString()).join())
  .digest('hex')
  .slice(0, 16);

/** A database that others are copied from. */
interface Template {
  name: string;
  /** The template that it is a copy of itself. */
  from?: Template;
  fill: (url: string) => Promise<void>;
}

const MIGRATED: Template = {
  name: `template_${DIGEST}`,
  fill: async (url) => {
    await migrate({ url, migrations });
    const queues = new JobQueues(url, [RUN_QUEUE], createLogger('silent'), { isWorker: false });
    await queues.start();
    await queues.stop();
  },
};

const STARTED: Template = {
  name: `template_${DIGEST}_started`,
  from: MIGRATED,
  fill: async (url) => {
    const source = await createDataSource({ url, poolSize: 1, patience: 60_000 }, []).initialize();
    await ensurePartitions(new Database(source), new Date()).finally(() => source.destroy());
  },
};

/** An empty database after all migrations. */
export const createTestDatabase = (): Promise<TestDatabase> => copyOf(MIGRATED);

/** The same after the first start of a service, which would create thirty tables again for each test file. */
export const createStartedDatabase = (): Promise<TestDatabase> => copyOf(STARTED);

async function copyOf(template: Template): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await make(admin, template).finally(() => admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]));
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template.name}`);
  });
  return {
    url: urlOf(name),
    drop: () => dropChecked(name),
  };
}

async function dropChecked(name: string): Promise<void> {
  const secrets = await secretsInDatabase(urlOf(name));
  await asAdmin((admin) => dropDatabase(admin, name));
  if (secrets.length > 0) throw new Error(`The database held secrets in the clear:\n${secrets.join('\n')}`);
}

/** Drops a database. An ordinary role cannot end a worker of autovacuum, which may use any database for a moment. */
export async function dropDatabase(admin: pg.ClientBase, name: string, attempts = 50): Promise<void> {
  try {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if (attempts === 1 || (error as { code?: unknown }).code !== '42501') throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await dropDatabase(admin, name, attempts - 1);
  }
}

/** Creates a template unless it exists. The caller holds the lock. */
async function make(admin: pg.ClientBase, { name, from, fill }: Template): Promise<void> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 1) return;
  if (from !== undefined) await make(admin, from);
  const unfinished = `${name}_unfinished`;
  await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE ${from?.name ?? 'template1'}`);
  await fill(urlOf(unfinished));
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

/** Its connections outlive a test file and keep no worker alive. */
let pool: pg.Pool | undefined;

async function asAdmin(work: (admin: pg.PoolClient) => Promise<unknown>): Promise<void> {
  pool ??= new pg.Pool({ connectionString: adminUrl(), max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // An idle connection that was lost is replaced.
    .on('error', () => undefined);
  const admin = await pool.connect();
  try {
    await work(admin);
  } finally {
    admin.release();
  }
}

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** Set by `global-setup.mjs`. */
function adminUrl(): string {
  const url = process.env.TEST_ADMIN_URL;
  if (!url) throw new Error('TEST_ADMIN_URL is missing: run the tests with the global set-up of jest.config.mjs.');
  return url;
}
