import { type Cron, nextFire, parseCron } from './cron.js';
import { countFires, lastFireUntil } from './cron-span.js';
import { type TriggerConfig } from '../trigger-config.js';

/** The validated config of a schedule. */
export interface Schedule {
  cron: string;
  /** An IANA name. */
  timezone: string;
  /** `none`: missed ticks don't fire. `last`: the last missed tick fires. */
  catchUp: 'none' | 'last';
}

/** The ticks of a schedule since it was last checked. */
export interface Ticks {
  /** Ticks that no process was running for; they don't fire. */
  missed: { count: number; first: Date; last: Date } | undefined;
  /** Ticks that fire now, ascending. */
  due: Date[];
  /** The first tick after now. */
  next: Date;
}

/** Older ticks count as missed. */
export const LATE_MS = 60_000;

/** Reads a validated config and fills in defaults. */
export function scheduleOf(config: TriggerConfig): Schedule {
  const { cron, timezone = 'UTC', catch_up: catchUp = 'none' } = config;
  return { cron, timezone, catchUp } as Schedule;
}

/** The ticks at or after `from`, classified at `now`. @throws CronError if this runtime lacks the time zone. */
export function ticksSince(schedule: Schedule, from: Date, now: Date): Ticks {
  const cron = parseCron(schedule.cron, schedule.timezone);
  const { first, late, due, next } = look(cron, from, now);
  if (late === undefined) return { missed: undefined, due, next };
  if (!catchesUp(schedule, due)) return { missed: missedFrom(cron, first, late), due, next };
  return { missed: missedBefore(cron, first, late), due: [late], next };
}

/** The tick that fires next, which may be due already; null if this runtime lacks the time zone. */
export function nextTickOf(schedule: Schedule, from: Date, now: Date): Date | null {
  try {
    const { late, due, next } = look(parseCron(schedule.cron, schedule.timezone), from, now);
    return (catchesUp(schedule, due) ? late : undefined) ?? due[0] ?? next;
  } catch {
    return null;
  }
}

/** The first tick at or after a moment; null if this runtime lacks the time zone. */
export function firstTickFrom(schedule: Schedule, from: Date): Date | null {
  try {
    return nextFire(parseCron(schedule.cron, schedule.timezone), new Date(from.getTime() - 1));
  } catch {
    return null;
  }
}

/** The first tick, the last late tick, the due ticks, and the first tick after now. */
function look(cron: Cron, from: Date, now: Date): { first: Date; late: Date | undefined; due: Date[]; next: Date } {
  const first = nextFire(cron, new Date(from.getTime() - 1));
  const lateUntil = new Date(now.getTime() - LATE_MS - 1);
  const isLate = first <= lateUntil;
  const due: Date[] = [];
  let next = isLate ? nextFire(cron, lateUntil) : first;
  for (; next <= now; next = nextFire(cron, next)) due.push(next);
  return { first, late: isLate ? lastFireUntil(cron, first, lateUntil) : undefined, due, next };
}

function catchesUp({ catchUp }: Schedule, due: readonly Date[]): boolean {
  return catchUp === 'last' && due.length === 0;
}

function missedBefore(cron: Cron, first: Date, last: Date): Ticks['missed'] {
  if (first >= last) return undefined;
  return missedFrom(cron, first, lastFireUntil(cron, first, new Date(last.getTime() - 1)));
}

function missedFrom(cron: Cron, first: Date, last: Date): Ticks['missed'] {
  return { count: countFires(cron, first, last), first, last };
}
