import { type Clock } from '../clock.js';
import { type Logger } from '../logging/logger.js';
import { type Queryable } from './database.js';

/** From here on it is a warning, in milliseconds. Claims hold by the database's clock, but due times are late or early by it. */
const MUCH_MS = 2_000;

/** How far this process's clock is ahead of the database's, in milliseconds; half of the query's time is taken off. */
export async function clockAhead(db: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(`SELECT clock_now() AS now`);
  return (before + clock.now().getTime()) / 2 - row!.now.getTime();
}

/** One line in the log, a warning where the clocks are seconds apart. */
export async function logClockAhead(db: Queryable, clock: Clock, logger: Logger): Promise<void> {
  const ahead = Math.round(await clockAhead(db, clock));
  const level = Math.abs(ahead) < MUCH_MS ? 'info' : 'warn';
  logger[level]({ clock_ahead_ms: ahead }, "database: this machine's clock is ahead of the database's");
}
