import { type Clock } from '../clock.js';
import { type Logger } from '../logging/logger.js';
import { type Queryable } from './database.js';

/**
 * A difference from here on is a warning, in milliseconds. Claims, sleeping runs and waits use the database's clock, but
 * other due times are early or late by the difference.
 */
const MUCH_MS = 2_000;

/** The lead of this process's clock over the database's, in milliseconds; half of the query's time is subtracted. */
export async function clockAhead(db: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(`SELECT clock_now() AS now`);
  return (before + clock.now().getTime()) / 2 - row!.now.getTime();
}

/** Logs the difference in one line, as a warning when it is seconds. */
export async function logClockAhead(db: Queryable, clock: Clock, logger: Logger): Promise<void> {
  const ahead = Math.round(await clockAhead(db, clock));
  const level = Math.abs(ahead) < MUCH_MS ? 'info' : 'warn';
  logger[level]({ clock_ahead_ms: ahead }, "database: compared this machine's clock with the database's");
}
