import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { tryLockSql } from './advisory-locks.js';
import { createMigrationSource } from './data-source.js';
import { UNFINISHED } from './copy/layout.js';
import { sqlState } from './sql-state.js';
import { cancelOn } from './migrating/in-batches.js';
import { OutdatedServiceError, schemaMinimum } from './migrating/schema-minimum.js';

const POLL_MS = 200;
/**
 * The pause before the next try to get a lock, in milliseconds: statements that queued up behind the first try go
 * ahead.
 */
const RETRY_MS = 1_000;
/** PostgreSQL's lock_not_available and deadlock_detected. */
const LOCK_FAILURES = new Set(['55P03', '40P01']);

/** The database and its migrations. */
export interface MigrateOptions {
  url: string;
  migrations: DataSourceOptions['migrations'];
  /** Receives a line when the migrations have to wait. */
  log?: (line: string) => void;
  /** Aborts a wait, or the statement that runs: what is not finished is done at the next start. */
  signal?: AbortSignal | undefined;
  /** True for the process that is loading a copy into this database. */
  isLoading?: boolean;
}

/**
 * Brings the schema up to date. Processes take turns and wait for one another. A migration that meets a lock fails
 * after two seconds and is retried until it succeeds. @throws OutdatedServiceError when the schema needs a newer version of
 * the service; the error of a migration; the reason of `signal`.
 */
export async function migrate({
  url,
  migrations,
  log = () => undefined,
  signal,
  isLoading,
}: MigrateOptions): Promise<void> {
  const source = await createMigrationSource(url, migrations).initialize();
  try {
    const runner = source.createQueryRunner();
    await takeTurn(runner, log, signal);
    if (!isLoading) await refuseUnfinished(runner);
    await refuseOutdated(runner);
    const end = await cancelOn(signal, runner, log);
    await retryLocks(() => runAll(runner), log, signal).finally(end);
    await runner.release();
  } finally {
    await source.destroy();
  }
}

/**
 * The connection that migrates holds the lock, so that both end together. The lock is polled: a session that waits
 * inside a statement has a snapshot, and CREATE INDEX CONCURRENTLY of the other process would wait for that snapshot in
 * turn, a deadlock.
 */
async function takeTurn(runner: QueryRunner, log: (line: string) => void, signal?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const [row] = (await runner.query(`SELECT ${tryLockSql('migrations')} AS taken`)) as {
      taken: boolean;
    }[];
    if (row!.taken) return;
    if (tries === 5) log('migrations: another process brings the schema up to date; waiting for it');
    await pause(POLL_MS, signal);
  }
}

/** @throws Error for a database into which a copy is being loaded, or was not loaded to its end. */
async function refuseUnfinished(runner: QueryRunner): Promise<void> {
  const [mark] = (await runner.query(`SELECT 1 WHERE to_regclass('${UNFINISHED}') IS NOT NULL`)) as unknown[];
  if (mark !== undefined)
    throw new Error(
      'A restore or a move into this database has not ended: wait for it, or repeat it if it was stopped.',
    );
}

/** @throws OutdatedServiceError when a migration that this process does not know has removed what it uses. */
async function refuseOutdated(runner: QueryRunner): Promise<void> {
  const minimum = await schemaMinimum((text) => runner.query(text));
  if (minimum === undefined) return;
  if (!runner.dataSource.migrations.some(({ name }) => name === minimum.migration))
    throw new OutdatedServiceError(minimum);
}

async function runAll(runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(runner.dataSource, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
}

async function retryLocks(work: () => Promise<void>, log: (line: string) => void, signal?: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!LOCK_FAILURES.has(sqlState(error) ?? '')) throw error;
      log(`migrations: a table is locked by another session, trying again (${(error as Error).message})`);
      await pause(RETRY_MS, signal);
    }
  }
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal!.throwIfAborted());
}
