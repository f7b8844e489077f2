import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { databaseUser, isRoot, type DatabaseUser } from './database-user.js';
import { run } from './run.js';
import { makeSystemDir } from './system-dir.js';

/** The location and owner of the data: `pgData` is PostgreSQL's own folder inside `dir`. */
export interface DataDir {
  dir: string;
  pgData: string;
  user: DatabaseUser;
  /** The connections that its server must allow; undefined: as many as usual. */
  connections?: number | undefined;
}

/** Creates DATA_DIR if it does not exist; returns its real path. @throws Error when it cannot be created or written. */
export function makeDataDir(dataDir: string): string {
  try {
    const created = mkdirSync(dataDir, { recursive: true }) !== undefined;
    // Under root the data belongs to another user, which must be able to pass through.
    if (created) chmodSync(dataDir, isRoot() ? 0o711 : 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${dataDir} can't be written (${code}): correct its owner, mode or disk, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/** Whether a service has already begun a database in DATA_DIR, or in the folder that its link `database` points to. */
export function hasDatabase(dataDir: string): boolean {
  return ['postgres', 'database'].some(
    (name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined,
  );
}

/**
 * Returns DATA_DIR itself, or, when the database user cannot write there, a folder under `systemDir` that the link
 * `database` in DATA_DIR points to. Existing data stays where it is, even if DATA_DIR becomes writable later. @throws
 * Error when that folder is gone, or existing data can no longer be reached.
 */
export async function findDataDir(dataDir: string, systemDir: string): Promise<DataDir> {
  const link = join(dataDir, 'database');
  const isElsewhere = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isElsewhere && !existsSync(link))
    throw new Error(`The folder that ${link} leads to is gone: bring it back, or remove the link to start empty.`);
  const dir = isElsewhere ? realpathSync(link) : dataDir;
  const found = await describe(dir);
  if (existsSync(found.pgData)) {
    if (await canEnter(found.pgData, found.user)) return found;
    throw new Error(
      `User ${found.user.name} can't reach its database in ${found.pgData}: give it passage through each folder above (chmod o+x).`,
    );
  }
  if (isElsewhere || (await canWorkIn(dir, found.user))) return found;
  const folder = mkdtempSync(join(makeSystemDir(systemDir), 'data-'));
  chmodSync(folder, 0o711);
  symlinkSync(folder, link);
  return describe(folder);
}

async function describe(dir: string): Promise<DataDir> {
  const pgData = join(dir, 'postgres');
  return { dir, pgData, user: await databaseUser(pgData) };
}

async function canEnter(folder: string, { switchTo }: DatabaseUser): Promise<boolean> {
  const { status } = await run('/bin/sh', ['-c', 'cd "$0" && [ -w . ]', folder], { switchTo });
  return status === 0;
}

/** Tests by trying: access lists, mounts and network file systems matter too. */
async function canWorkIn(dir: string, user: DatabaseUser): Promise<boolean> {
  const trial = mkdtempSync(join(dir, 'trial-'));
  try {
    chownSync(trial, user.uid, user.gid);
    return await canEnter(trial, user);
  } catch {
    return false;
  } finally {
    rmdirSync(trial);
  }
}
