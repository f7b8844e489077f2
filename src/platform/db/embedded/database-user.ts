import { statSync } from 'node:fs';
import { run } from './run.js';

/**
 * The user that PostgreSQL runs as. `switchTo` is the option of `spawn` that switches to that user, empty when no
 * switch is needed.
 */
export interface DatabaseUser {
  name: string;
  uid: number;
  gid: number;
  switchTo: { uid?: number; gid?: number };
}

/** True under root, which may switch users and must: PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The owner of existing data; else the current user, or under root `postgres`, else `nobody`. @throws Error when the
 * data belongs to a user that this process cannot switch to, or no such user exists.
 */
export async function databaseUser(pgData: string): Promise<DatabaseUser> {
  const owner = statSync(pgData, { throwIfNoEntry: false });
  const uid = process.getuid?.() ?? -1;
  if (!isRoot()) {
    if (owner && owner.uid !== uid)
      throw new Error(
        `The database in ${pgData} belongs to user ${owner.uid}, not ${uid}: start as that user or as root.`,
      );
    return { name: String(uid), uid, gid: process.getgid?.() ?? -1, switchTo: {} };
  }
  if (owner && owner.uid !== 0) return become(String(owner.uid), owner.uid, owner.gid);
  for (const name of ['postgres', 'nobody']) {
    const [u, g] = [await idOf(name, '-u'), await idOf(name, '-g')];
    if (u && g) return become(name, u, g);
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user postgres or nobody: start as an ordinary user or set DATABASE_URL.',
  );
}

function become(name: string, uid: number, gid: number): DatabaseUser {
  return { name, uid, gid, switchTo: { uid, gid } };
}

async function idOf(name: string, flag: '-u' | '-g'): Promise<number | undefined> {
  const { status, stdout } = await run('id', [flag, name]);
  return status === 0 ? Number(stdout) : undefined;
}
