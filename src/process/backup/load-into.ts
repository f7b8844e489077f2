import { type Client } from 'pg';
import { RUN_QUEUE } from '../../features/runs/queue/run-queue.js';
import { EmptyDatabase } from '../../platform/db/copy/empty-database.js';
import { type Layout } from '../../platform/db/copy/layout.js';
import { loadTables, type Rows } from '../../platform/db/copy/load.js';
import { migrate } from '../../platform/db/migrate.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { JobQueues } from '../../platform/jobs/job-queue.js';
import { createLogger } from '../../platform/logging/logger.js';

/** What is loaded. */
export interface Loaded extends Layout {
  /** The migrations that the source has had: its rows fit the schema after these. */
  migrations: readonly string[];
  rows: Rows;
  signal: AbortSignal;
}

/** The work around the commit of the rows. Until the first two have succeeded, no service starts on the database. */
export interface LoadSteps {
  beforeCommit: (client: Client, counts: ReadonlyMap<string, number>) => Promise<void>;
  afterCommit: () => Promise<void>;
  /** Takes back what `afterCommit` did. It runs only once the database is empty again. */
  afterAbandon?: () => void;
}

/**
 * Loads a copy into an empty database: the schema by the migrations of the source and by pg-boss, then all rows in one
 * transaction. @throws Error with a sentence; the database is empty again then.
 */
export async function loadInto(url: string, loaded: Loaded, steps: LoadSteps): Promise<void> {
  const target = await EmptyDatabase.mark(url);
  try {
    await createSchema(url, loaded.migrations);
    await target.client.query('BEGIN');
    const counts = await loadTables(target.client, loaded, loaded.rows, loaded.signal);
    await steps.beforeCommit(target.client, counts);
    loaded.signal.throwIfAborted();
    await target.client.query('COMMIT');
    await target.client.query('ANALYZE');
    await steps.afterCommit();
    loaded.signal.throwIfAborted();
    await target.unmark();
  } catch (error) {
    await target.abandon();
    steps.afterAbandon?.();
    throw error;
  }
  await target.close();
}

async function createSchema(url: string, had: readonly string[]): Promise<void> {
  const names = new Set(had);
  await migrate({ url, migrations: migrations.filter(({ name }) => names.has(name)), isLoading: true });
  const queues = new JobQueues(url, [RUN_QUEUE], createLogger('silent'), { isWorker: false });
  await queues.start().finally(() => queues.stop());
}
