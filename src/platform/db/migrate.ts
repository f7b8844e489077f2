import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { createMigrationSource } from './data-source.js';
import { sqlState } from './database.js';

/** The advisory lock of migrations, so that processes that start together do not collide: "wfgm" in ASCII. */
export const MIGRATION_LOCK = 0x7766676d;
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
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
}

/**
 * Brings the schema up to date. Processes take turns and wait for one another. A migration that meets a lock fails
 * after two seconds and is retried until it succeeds. @throws the error of a migration; the reason of `signal`.
 */
export async function migrate({ url, migrations, log = () => undefined, signal }: MigrateOptions): Promise<void> {
  const source = await createMigrationSource(url, migrations).initialize();
  try {
    const runner = source.createQueryRunner();
    await takeTurn(runner, log, signal);
    await retryLocks(() => runAll(runner), log, signal);
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
    const [row] = (await runner.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS taken`)) as {
      taken: boolean;
    }[];
    if (row!.taken) return;
    if (tries === 5) log('migrations: another process brings the schema up to date; waiting for it');
    await pause(POLL_MS, signal);
  }
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
      if (!LOCK_FAILURES.has(sqlState(error) ?? '')) throw error;
      log(`migrations: a table is locked by another session, trying again (${(error as Error).message})`);
      await pause(RETRY_MS, signal);
    }
  }
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal!.throwIfAborted());
}
