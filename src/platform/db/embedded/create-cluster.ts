import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../../encryption/secrets.js';
import { type DataDir } from './data-dir.js';
import { complaint, run, type RunResult } from './run.js';

/** The name of both the role and the database. The role owns the database, may create others and is not a superuser. */
export const DATABASE_NAME = 'gateway';

/** The file inside PostgreSQL's folder, mode 0600, that holds the role's password. */
export const PASSWORD_FILE = 'gateway.password';

/**
 * Creates the cluster with role and database in a temporary folder and then renames it: a cluster under its final name
 * is complete. Does nothing when it exists. The caller holds the start lock. @throws Error with PostgreSQL's own
 * reason.
 */
export async function createCluster(native: string, data: DataDir): Promise<void> {
  removeUnfinished(data.dir);
  if (existsSync(data.pgData)) return;
  try {
    const finished = await fill(native, mkdtempSync(join(data.dir, UNFINISHED)), data);
    renameSync(finished, data.pgData);
    flush(data.dir);
  } finally {
    removeUnfinished(data.dir);
  }
}

async function fill(native: string, side: string, { dir, user }: DataDir): Promise<string> {
  const data = join(side, 'data');
  const passwordFile = join(side, PASSWORD_FILE);
  const superuserFile = join(side, 'superuser');
  const password = randomToken();
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600, flush: true });
  writeFileSync(superuserFile, randomToken(), { mode: 0o600 });
  for (const path of [data, passwordFile, superuserFile, side]) chownSync(path, user.uid, user.gid);
  check(dir, await initdb(native, data, superuserFile, user.switchTo));
  check(dir, await prepare(native, data, password, user.switchTo));
  renameSync(passwordFile, join(data, PASSWORD_FILE));
  flush(data);
  return data;
}

const UNFINISHED = 'postgres.new-';

function removeUnfinished(dir: string): void {
  for (const name of readdirSync(dir))
    if (name.startsWith(UNFINISHED)) rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Collation is PostgreSQL's own, so that texts sort alike on every system and no locale has to be installed. */
function initdb(native: string, data: string, superuserFile: string, switchTo: object): Promise<RunResult> {
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${superuserFile}`];
  const texts = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return run(join(native, 'bin', 'initdb'), ['-D', data, ...options, ...texts], { switchTo });
}

/** In single-user mode: before a server listens, the superuser has lost its password and cannot log in. */
function prepare(native: string, data: string, password: string, switchTo: object): Promise<RunResult> {
  const input = [
    `CREATE ROLE ${DATABASE_NAME} LOGIN CREATEDB PASSWORD '${password}';`,
    `CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_NAME};`,
    'ALTER ROLE postgres PASSWORD NULL;',
    '',
  ].join('\n');
  return run(join(native, 'bin', 'postgres'), ['--single', '-D', data, '-c', 'exit_on_error=on', 'postgres'], {
    switchTo,
    input,
  });
}

function check(dir: string, { status, stdout, stderr }: RunResult): void {
  if (status === 0) return;
  const why = complaint(stderr.trim() === '' ? stdout : stderr);
  const remedy = /No space left|quota/i.test(why) ? 'make room on that disk' : 'correct that';
  throw new Error(
    `PostgreSQL could not create its database in ${dir} (${why}): ${remedy}, or set DATA_DIR to another folder.`,
  );
}

/** Syncs a folder, so that its file names survive a power cut. */
export function flush(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
