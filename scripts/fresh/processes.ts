import { readdirSync, readlinkSync } from 'node:fs';

/**
 * The processes whose current folder or program lies below a folder, by id. Works on Linux; elsewhere the list is
 * empty.
 */
export function processesIn(folder: string): { pid: number; program: string }[] {
  return numbersIn('/proc')
    .map((pid) => ({ pid, program: target(`/proc/${pid}/exe`), present: target(`/proc/${pid}/cwd`) }))
    .filter(({ program, present }) => [program, present].some((path) => path.startsWith(`${folder}/`)));
}

/** Sends a signal to a process, or to a group by its negative id; an ended process is ignored. */
export function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((number) => Number.isInteger(number));
  } catch {
    return [];
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
