import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.js';

/** The content of `postmaster.pid`: a running server, or one that ran when the power failed. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** Reads `postmaster.pid` (lines 1, 4 and 8 of its format); undefined while there is none or it is half-written. */
export function readPostmaster(pgData: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(pgData, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0)) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? 'starting' };
}

/**
 * True while the process lives and is PostgreSQL on this folder: after a power cut another process may have its number.
 */
export async function isPostmaster(pid: number, pgData: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const args = commandLine(pid).split('\0');
    return args.includes('-D') && isSameFolder(args[args.indexOf('-D') + 1] ?? '', pgData);
  }
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return stdout.includes(pgData);
}

/**
 * Removes the `postmaster.pid` of a server that is gone when another process has its number now: PostgreSQL would take
 * that process for the server and refuse to start. Otherwise PostgreSQL checks the file itself, and more carefully.
 */
export function forgetStale(pid: number, pgData: string): void {
  if (isAlive(pid)) rmSync(join(pgData, 'postmaster.pid'), { force: true });
}

/**
 * Requests a fast shutdown: clients are disconnected, committed data is kept. Returns true even when the server has
 * already ended.
 */
export function interrupt(pid: number): true {
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One folder can have two paths, by a link or a mount. */
function isSameFolder(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
