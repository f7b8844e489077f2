import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usableBinaries } from './binaries.js';
import { DATABASE_NAME, flush, PASSWORD_FILE } from './create-cluster.js';
import { type DataDir, findDataDir, makeDataDir } from './data-dir.js';
import { isRoot } from './database-user.js';
import { aloneInStarting, type EmbeddedOptions, lockFolder } from './embedded-postgres.js';
import { readPostmaster } from './postmaster.js';
import { run } from './run.js';
import { SharedServer } from './shared-server.js';
import { SYSTEM_DIR } from './system-dir.js';

const UNFINISHED = 'restore.new-';
/** What a data folder may hold and still count as empty. */
const NOTHING = /^(?:service\.lock|start\.lock|restore\.new-.*|postgresql-.*)$/;

/** How a cluster is restored. */
export interface RestoreOptions extends EmbeddedOptions {
  /** The major version of the copied cluster. */
  postgresql: number;
  /** Files of DATA_DIR that may exist, because an interrupted restore left them. */
  isExpected: (name: string, dataDir: string) => boolean;
  /** Puts the copied files into PostgreSQL's folder. */
  fill: (pgData: string) => Promise<void>;
  /** Works on the running database. The restore fails with it. */
  settle: (url: string) => Promise<void>;
  /** Writes what belongs beside the database. Last, before the database gets its name. */
  finish: (dataDir: string) => void;
}

/**
 * Restores a cluster in a folder beside, and then renames it: a cluster under its final name is whole. @returns the
 * folder that holds the data. @throws Error with a sentence: for a folder that is not empty or in use, or another major
 * version.
 */
export async function restoreCluster(options: RestoreOptions): Promise<string> {
  const dataDir = makeDataDir(resolve(options.dataDir));
  const lock = await lockFolder(dataDir, options.dataDir);
  try {
    refuseUnlessEmpty(dataDir, options);
    const data = await findDataDir(dataDir, SYSTEM_DIR);
    const native = await usableBinaries(data.user, { dataDir, systemDir: SYSTEM_DIR });
    await refuseOtherMajor(native, options.postgresql);
    removeUnfinished(data.dir);
    try {
      await restoreBeside(native, data, dataDir, options);
    } finally {
      removeUnfinished(data.dir);
    }
    return data.dir;
  } finally {
    lock.release();
  }
}

async function restoreBeside(native: string, data: DataDir, dataDir: string, options: RestoreOptions): Promise<void> {
  const side = mkdtempSync(join(data.dir, UNFINISHED));
  const pgData = join(side, 'data');
  chmodSync(side, 0o711);
  mkdirSync(pgData, { mode: 0o700 });
  await options.fill(pgData);
  if (isRoot()) await run('chown', ['-R', `${data.user.uid}:${data.user.gid}`, pgData]);
  // Without it a power cut could leave empty files under the final name.
  await run('sync', []);
  await withServer(native, { ...data, pgData }, dataDir, options);
  options.finish(dataDir === data.dir ? dataDir : data.dir);
  renameSync(pgData, data.pgData);
  flush(data.dir);
}

async function withServer(native: string, data: DataDir, dataDir: string, options: RestoreOptions): Promise<void> {
  const alone = (work: () => Promise<void>) => aloneInStarting(dataDir, work);
  const start = () => SharedServer.start({ native, data, log: options.log, aloneInStarting: alone });
  const server = await aloneInStarting(dataDir, start);
  try {
    const password = readFileSync(join(data.pgData, PASSWORD_FILE), 'utf8');
    await options.settle(`postgres://${DATABASE_NAME}:${password}@127.0.0.1:${server.port}/${DATABASE_NAME}`);
  } finally {
    await server.stop();
    while (readPostmaster(data.pgData) !== undefined) await sleep(20);
  }
}

function refuseUnlessEmpty(dataDir: string, { isExpected }: RestoreOptions): void {
  // A restore that failed may leave a link to a folder without a database.
  const isEmptyLink = (name: string) => name === 'database' && !existsSync(join(dataDir, name, 'postgres'));
  const found = readdirSync(dataDir).find(
    (name) => !NOTHING.test(name) && !isEmptyLink(name) && !isExpected(name, dataDir),
  );
  if (found !== undefined)
    throw new Error(`The data folder ${dataDir} is not empty: it has ${found}. Set DATA_DIR to a new folder.`);
}

async function refuseOtherMajor(native: string, wanted: number): Promise<void> {
  const { stdout } = await run(join(native, 'bin', 'postgres'), ['--version']);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (major !== wanted)
    throw new Error(
      `The backup is of PostgreSQL ${wanted}, and this version of the service has ${major}: restore it with a version that has ${wanted}.`,
    );
}

function removeUnfinished(dir: string): void {
  for (const name of readdirSync(dir))
    if (name.startsWith(UNFINISHED)) rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 3 });
}
