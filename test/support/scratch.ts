import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory, where databases are copied and dropped many times faster than on a disk. */
const MEMORY = '/dev/shm';
/** With less space than this, as in a container with the usual 64 MB, the disk is used. */
const ROOM_BYTES = 3 * 1_024 ** 3;
const PREFIX = 'gateway-test-';

/** A new folder, in memory if there is space; under root PostgreSQL runs as another user, which may pass through. */
export function scratchFolder(parent = memoryOrDisk()): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Removes folders left by killed processes. */
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
    // It belongs to another user.
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
