import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.js';

/**
 * The folder in which root puts files that the database user must reach and cannot reach in DATA_DIR or the checkout.
 */
export const SYSTEM_DIR = '/var/lib/workflow-gateway';

/**
 * Creates the folder, readable by all users and writable by root alone, and returns it. @throws Error when another user
 * could have put something there.
 */
export function makeSystemDir(path: string): string {
  const created = mkdirSync(path, { recursive: true }) !== undefined;
  if (created) chmodSync(path, 0o755);
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== 0 || (stat.mode & 0o022) !== 0)
    throw new Error(`${path} must be a folder that only root can write to: remove it or correct its owner and mode.`);
  return path;
}

/**
 * Copies a folder completely or not at all, readable by all users. `finish` works on the copy before it gets its name.
 */
export async function copyTree(from: string, to: string, finish: (copy: string) => unknown): Promise<void> {
  const side = mkdtempSync(`${to}.new-`);
  try {
    const isNeeded = (path: string) => !path.endsWith('.a');
    cpSync(from, side, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    openToAll(side);
    finish(side);
    // Without it a power cut could leave empty files under the new name.
    await run('sync', []);
    renameSync(side, to);
  } catch (error) {
    rmSync(side, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    // Another process has created it first.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
    throw new Error(
      `PostgreSQL's binaries could not be copied to ${dirname(to)} (${code ?? String(error)}): make room there, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
