import { accessSync, chownSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot } from './database-user.js';

/**
 * An exclusive lock on a file that the kernel drops when its process dies, however it dies. Node can't lock files but
 * SQLite does (fcntl), so the file is opened as an empty SQLite database, in which nothing is ever written.
 */
export class ProcessLock {
  /** A lock without a reference must not be garbage collected, which would release it. */
  private static readonly held = new Set<ProcessLock>();
  private readonly handle: DatabaseSync;

  private constructor(handle: DatabaseSync) {
    this.handle = handle;
  }

  /**
   * Takes the lock; undefined when another process held it for `patience` milliseconds. @throws Error when the file
   * cannot be created or belongs to another user.
   */
  static async acquire(file: string, patience: number): Promise<ProcessLock | undefined> {
    prepareFile(file);
    const handle = new DatabaseSync(file);
    const deadline = Date.now() + patience;
    while (!tryLock(handle)) {
      if (Date.now() >= deadline) {
        handle.close();
        return undefined;
      }
      await sleep(5 + Math.random() * 20);
    }
    const lock = new ProcessLock(handle);
    ProcessLock.held.add(lock);
    return lock;
  }

  release(): void {
    ProcessLock.held.delete(this);
    if (this.handle.isOpen) this.handle.close();
  }
}

/** Two processes that try at the same instant can both be refused, so one refusal alone proves no holder. */
function tryLock(handle: DatabaseSync): boolean {
  try {
    // A journal on disk would need space, and a kill would leave it behind.
    handle.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const SQLITE_BUSY = 5;
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

/** Opens the file only when it is new: closing any descriptor of a locked file drops the locks of its process. */
function prepareFile(file: string): void {
  try {
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600));
      const { uid, gid } = statSync(dirname(file));
      if (isRoot()) chownSync(file, uid, gid);
    }
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${file} can't be written (${code}): make room there, or start as the user to whom it belongs.`, {
      cause,
    });
  }
}
