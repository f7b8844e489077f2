import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usableBinaries } from './binaries.js';
import { createCluster, DATABASE_NAME, PASSWORD_FILE } from './create-cluster.js';
import { findDataDir, makeDataDir } from './data-dir.js';
import { ProcessLock } from './process-lock.js';
import { SharedServer } from './shared-server.js';
import { SYSTEM_DIR } from './system-dir.js';

/**
 * A running embedded database: `url` points to the database `gateway`, `dataDir` is the folder that really holds the
 * data.
 */
export interface EmbeddedPostgres {
  url: string;
  dataDir: string;
  /**
   * Releases the server; the last process to release it stops it and waits for its end. Never rejects; may be called
   * again.
   */
  stop(): Promise<void>;
}

/** `dataDir` is the configured folder; `log` receives single lines for the operator. */
export interface EmbeddedOptions {
  dataDir: string;
  /** The connections that the service needs. A server that a command has started may allow fewer. */
  connections?: number;
  log: (line: string) => void;
}

/** Thrown when another service runs on the data directory. The message is one line for the operator. */
class EmbeddedInUseError extends Error {
  override readonly name = 'EmbeddedInUseError';

  constructor(dataDir: string) {
    super(`Another service already runs on the data directory ${dataDir}: stop it, or set DATA_DIR to another folder.`);
  }
}

/**
 * Opens the database for the one service of this directory: joins a running server or starts one, and restarts it if it
 * ends unexpectedly. @throws EmbeddedInUseError at once, or Error with a sentence and its remedy.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = makeDataDir(resolve(options.dataDir));
  const lock = await lockFolder(dataDir, options.dataDir);
  try {
    const { server, ...embedded } = await open(dataDir, options);
    server.watch();
    return { ...embedded, stop: () => server.stop().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens the database for a command, with or without a running service: joins a running server or starts one. A service
 * that starts in between may join and keep that server. @throws Error with a sentence and its remedy.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { server, ...embedded } = await open(makeDataDir(resolve(options.dataDir)), options);
  return { ...embedded, stop: () => server.stop() };
}

async function open(dataDir: string, { dataDir: asked, connections, log }: EmbeddedOptions) {
  return aloneInStarting(dataDir, async () => {
    const data = { ...(await findDataDir(dataDir, SYSTEM_DIR)), connections };
    const native = await usableBinaries(data.user, { dataDir, systemDir: SYSTEM_DIR });
    await createCluster(native, data);
    const password = readFileSync(join(data.pgData, PASSWORD_FILE), 'utf8');
    const startAgain = (work: () => Promise<void>) => aloneInStarting(dataDir, work);
    const server = await SharedServer.start({ native, data, log, aloneInStarting: startAgain });
    return {
      server,
      url: `postgres://${DATABASE_NAME}:${password}@127.0.0.1:${server.port}/${DATABASE_NAME}`,
      dataDir: data.dir === dataDir ? resolve(asked) : data.dir,
    };
  });
}

/** Takes the lock of the one service of a data folder. @throws EmbeddedInUseError at once. */
export async function lockFolder(dataDir: string, asked: string): Promise<ProcessLock> {
  const lock = await ProcessLock.acquire(join(dataDir, 'service.lock'), 300);
  if (!lock) throw new EmbeddedInUseError(resolve(asked));
  return lock;
}

/** Creating, starting and joining happen in one process at a time, service or command. */
export async function aloneInStarting<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await ProcessLock.acquire(join(dataDir, 'start.lock'), 300_000);
  if (!lock) throw new Error(`Another process has been starting the database in ${dataDir} for five minutes: stop it.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
