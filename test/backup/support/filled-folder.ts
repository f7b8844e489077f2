import { embeddedEncryptionKeys } from '../../../src/platform/config/encryption-key.js';
import { createDataSource } from '../../../src/platform/db/data-source.js';
import { Database } from '../../../src/platform/db/database.js';
import { startEmbedded } from '../../../src/platform/db/embedded/embedded-postgres.js';
import { migrate } from '../../../src/platform/db/migrate.js';
import { migrations } from '../../../src/platform/db/migrations/index.js';
import { JobQueues } from '../../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { RUN_QUEUE } from '../../../src/features/runs/queue/run-queue.js';
import { ensurePartitions } from '../../../src/platform/partitions/weekly-partitions.js';

/** Works on the embedded database of a folder, which no service uses, and closes it. */
export async function withEmbedded<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Creates an embedded database with runs of four weeks, their steps and some jobs; one week lies before all partitions. */
export async function fillFolder(dataDir: string, runs: number): Promise<void> {
  await withEmbedded(dataDir, async (url) => {
    embeddedEncryptionKeys(dataDir);
    await migrate({ url, migrations });
    const queues = new JobQueues(url, [RUN_QUEUE], createLogger('silent'), { isWorker: false });
    await queues.start();
    await queues.stop();
    const patience = 3_600_000;
    const source = await createDataSource({ url, poolSize: 2, patience }, []).initialize();
    const db = new Database(source, patience);
    for (const weeks of [3, 0]) await ensurePartitions(db, new Date(Date.now() - weeks * 7 * 86_400_000));
    await fill(db, runs).finally(() => source.destroy());
  });
}

async function fill({ source }: Database, runs: number): Promise<void> {
  await source.query(`INSERT INTO accounts (id, name, created_at) VALUES (uuid_at(now()), 'Ünïcode "x"', now())`);
  await source.query(
    `INSERT INTO workflows (id, account_id, name, status, created_at, updated_at)
     SELECT uuid_at(now()), id, E'tab\\tbackslash\\\\', 'active', now(), now() FROM accounts`,
  );
  await source.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, input, created_at, finished_at)
     SELECT uuid_at(now() - n * interval '35 days' / ${runs}), w.account_id, w.id, 'webhook', 'succeeded',
       json_build_object('n', n, 'text', repeat('☃', (n % 7)::integer)), now(), now()
     FROM workflows w, generate_series(0, ${runs} - 1) n`,
  );
  await source.query(
    `INSERT INTO steps (run_id, account_id, index, name, kind, status, attempt, output)
     SELECT id, account_id, 0, 'one', 'condition', 'succeeded', 1, '{"a" : 1}' FROM runs`,
  );
  await source.query(
    `INSERT INTO pgboss.job (name, data) SELECT 'runs', json_build_object('n', n) FROM generate_series(1, 50) n`,
  );
  await source.query(
    `INSERT INTO trigger_change_fan_outs (account_id, triggers, status, hops, at, webhooks)
     SELECT id, '{}', 'active', 0, now(), '{}' FROM accounts, generate_series(1, 3)`,
  );
}
