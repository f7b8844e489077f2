import { readFileSync } from 'node:fs';

/** @throws Error with the remedy when this process may not open this many sockets. */
export function demandFiles(count: number): void {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Not Linux: opening sockets will show the limit.
    return;
  }
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  if (limit >= count) return;
  throw new Error(
    `This needs ${count} open files, but ulimit -n is ${limit}: run "ulimit -n ${count}" in the shell first.`,
  );
}
