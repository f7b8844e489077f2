import { existsSync, writeFileSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_NAME } from './create-cluster.js';
import { type DataDir } from './data-dir.js';
import { complaint, run } from './run.js';

/** The file inside PostgreSQL's folder that says that its role may make backups. */
const ALLOWED_FILE = 'gateway.backups';

/**
 * Lets the role of the service make backups, once for each cluster: by the functions that begin and end one, and by a
 * replication slot, which keeps the WAL in between. In single-user mode, because the superuser cannot log in. The caller
 * starts the server next. @returns PostgreSQL's reason when it fails.
 */
export async function allowBackups(native: string, { pgData, user }: DataDir): Promise<string | undefined> {
  const file = join(pgData, ALLOWED_FILE);
  if (existsSync(file)) return undefined;
  const input = [
    `ALTER ROLE ${DATABASE_NAME} REPLICATION;`,
    `GRANT EXECUTE ON FUNCTION pg_backup_start(text, boolean), pg_backup_stop(boolean) TO ${DATABASE_NAME};`,
    '',
  ].join('\n');
  const args = ['--single', '-D', pgData, '-c', 'exit_on_error=on', DATABASE_NAME];
  const { status, stderr } = await run(join(native, 'bin', 'postgres'), args, { switchTo: user.switchTo, input });
  if (status !== 0) return complaint(stderr);
  writeFileSync(file, '', { mode: 0o600, flush: true });
  if (user.switchTo.uid !== undefined) chownSync(file, user.uid, user.gid);
  return undefined;
}
