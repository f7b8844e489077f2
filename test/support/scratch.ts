import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory, where databases are copied and dropped many times faster than on a disk. */
const MEMORY = '/dev/shm';
/** Less room than this, as in a container with the usual 64 MB, and the disk is used. */
const ROOM_BYTES = 3 * 1_024 ** 3;
const PREFIX = 'gateway-test-';

/** A new folder, for a database in memory where there is room; as root PostgreSQL runs as another user, who may pass through. */
export function scratchFolder(parent = memoryOrDisk()): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Removes the folders of processes that were killed before they could. */
export function removeOrphans(): void {
  for (const parent of new Set([memoryOrDisk(), tmpdir()])) {
    for (const name of readdirSync(parent)) {
      const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : NaN;
      if (Number.isInteger(pid) && !isRunning(pid)) remove(join(parent, name));
    }
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's: theirs to remove.
  }
}

function memoryOrDisk(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
