import { type Database } from '../../../platform/db/database.js';
import { recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { claimDue, DueTriggers, moveTicks } from './due-triggers.js';
import { LATE_MS } from './schedule-ticks.js';
import { lookAt } from './tick-firings.js';

const BATCH = 500;

/**
 * Records every tick until now as missed, also of schedules that catch up: after a restore the original may have fired
 * them. No service may run. @returns the number of schedules with such ticks.
 */
export async function missGap(db: Database, queue: RunQueue, now: Date): Promise<number> {
  // From this time on, ticks until now are late.
  const looking = new Date(now.getTime() + LATE_MS + 1);
  const goesOn = new Date(now.getTime() + 1);
  const due = new DueTriggers();
  for (let schedules = 0; ;) {
    const count = await db.transaction(async (tx) => {
      const triggers = await claimDue(tx, now, await due.next(tx, now, { limit: BATCH, except: [] }));
      const found = await lookAt(
        triggers.map((trigger) => ({ ...trigger, catchUp: 'none' })),
        looking,
      );
      const firings = found.flatMap((look) => look.firings.filter(({ missed }) => missed));
      if (firings.length > 0) await recordFirings(tx, queue, now, firings);
      const moved = found.map(({ uuid, error, ticksFrom }) => ({
        uuid,
        ticksFrom: error === undefined ? goesOn : ticksFrom,
      }));
      if (moved.length > 0) await moveTicks(tx, moved);
      return triggers.length;
    });
    if (count === 0) return schedules;
    schedules += count;
  }
}
