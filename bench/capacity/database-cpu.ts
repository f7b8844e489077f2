import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the CPU time in /proc in hundredths of a second on all its platforms (USER_HZ). */
const TICK = 10_000;

/**
 * The CPU time of a PostgreSQL server since its start, of all its processes: also of those that have ended. In
 * microseconds. Reads /proc, so it needs Linux.
 */
export function databaseCpu(dataDir: string): number {
  const postmaster = Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0]);
  let ticks = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = statOf(pid);
    if (stat === undefined) continue;
    const { parent, own, ofEnded } = stat;
    if (Number(pid) === postmaster) ticks += own + ofEnded;
    else if (parent === postmaster) ticks += own;
  }
  return ticks * TICK;
}

interface Stat {
  parent: number;
  /** Ticks of the process itself. */
  own: number;
  /** Ticks of its children that have ended. */
  ofEnded: number;
}

/** Fields 4 and 14 to 17 of proc(5); undefined for a process that has ended meanwhile. */
function statOf(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain anything, also spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
  return { parent: Number(fields[1]), own: ticks(11), ofEnded: ticks(13) };
}
