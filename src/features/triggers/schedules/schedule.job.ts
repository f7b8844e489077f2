import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { awaitDue, claimDue, type DueTrigger, dueSince, moveTicks } from './due-triggers.js';
import { lookAt } from './tick-firings.js';

/** The maximum number of triggers per transaction. */
const BATCH = 500;
/** A trigger that other sessions kept locked this long is waited for, one at a time. */
const OVERDUE_MS = 2_000;
const OVERDUE_LIMIT = 5;

/** What the job needs. */
export interface SchedulerDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  logger: Logger;
}

/**
 * Fires schedules, each tick exactly once. Processes may run it concurrently: a trigger is locked while its ticks are
 * recorded, and its next time is written in the same transaction.
 */
export function fireSchedulesJob(deps: SchedulerDependencies): PeriodicJob {
  return {
    name: 'fire schedules',
    what: 'Fires the schedules that are due, each tick exactly once.',
    everyMs: 1_000,
    run: async () => {
      const claim = (tx: Transaction) => claimDue(tx, deps.clock.now(), BATCH);
      while ((await fire(deps, claim)) > 0);
      const overdue = new Date(deps.clock.now().getTime() - OVERDUE_MS);
      for (const uuid of await dueSince(deps.db, overdue, OVERDUE_LIMIT)) {
        await fire(deps, (tx) => awaitDue(tx, deps.clock.now(), uuid)).catch((error: unknown) =>
          deps.logger.warn(
            { trigger: uuid, ...errorFields(error) },
            'schedules: a trigger is locked by other sessions',
          ),
        );
      }
    },
  };
}

/** Records the due ticks of the triggers that `claim` locks. @returns the number of triggers. */
async function fire(
  { db, clock, queue, logger }: SchedulerDependencies,
  claim: (tx: Transaction) => Promise<DueTrigger[]>,
): Promise<number> {
  const looks = await db.transaction(async (tx) => {
    const triggers = await claim(tx);
    if (triggers.length === 0) return [];
    const now = clock.now();
    const found = lookAt(triggers, now);
    const firings = found.flatMap((look) => look.firings);
    if (firings.length > 0) await recordFirings(tx, queue, now, firings);
    await moveTicks(tx, found);
    return found;
  });
  if (looks.some(({ firings }) => firings.length > 0)) queue.announce();
  for (const { uuid, error } of looks) {
    if (error !== undefined) logger.error({ trigger: uuid, ...errorFields(error) }, 'schedules: no tick can be found');
  }
  return looks.length;
}
