import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate.js';
import { migrations } from '../../../src/platform/db/migrations/index.js';
import { JobQueues } from '../../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { RUN_QUEUE } from '../../../src/features/runs/queue/run-queue.js';
import { secretsInDatabase } from './secrets.js';

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  url: string;
  /**
   * Disconnects all clients and drops the database. Then rejects if it held an unencrypted secret: see `secrets.ts`.
   */
  drop: () => Promise<void>;
}

/** The advisory lock for creating the template: "wfgt" in ASCII. */
const TEMPLATE_LOCK = 0x77666774;
/** The template's name changes with the migrations, since a server may outlive a change. */
const TEMPLATE = `template_${createHash('sha256')
  .update(migrations.map((migration) => migration.prototype.up.toString()).join())
  .digest('hex')
  .slice(0, 16)}`;

/** A copy of the migrated template, which the first caller makes. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(async (admin) => {
    await makeTemplate(admin);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  });
  return {
    url: urlOf(name),
    drop: () => dropChecked(name),
  };
}

async function dropChecked(name: string): Promise<void> {
  const secrets = await secretsInDatabase(urlOf(name));
  await asAdmin((admin) => drop(admin, name));
  if (secrets.length > 0) throw new Error(`The database held secrets in the clear:\n${secrets.join('\n')}`);
}

/** An ordinary role cannot end a worker of autovacuum, which may use any database for a moment. */
async function drop(admin: pg.Client, name: string, attempts = 50): Promise<void> {
  try {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if (attempts === 1 || (error as { code?: unknown }).code !== '42501') throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await drop(admin, name, attempts - 1);
  }
}

async function makeTemplate(admin: pg.Client): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount === 1) return;
    const unfinished = `${TEMPLATE}_unfinished`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${unfinished}`);
    await migrate({ url: urlOf(unfinished), migrations });
    const queues = new JobQueues(urlOf(unfinished), [RUN_QUEUE], createLogger('silent'), { isWorker: false });
    await queues.start();
    await queues.stop();
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${TEMPLATE}`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function asAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
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
