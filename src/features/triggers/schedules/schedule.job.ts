import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { awaitDue, claimDue, type DueTrigger, dueSince, moveTicks } from './due-triggers.js';
import { type Look, lookAt } from './tick-firings.js';

/** The maximum number of triggers per transaction. */
const BATCH = 500;
/** A trigger that other sessions kept locked this long is waited for, one at a time. */
const OVERDUE_MS = 2_000;
const OVERDUE_LIMIT = 5;
/** The longest wait for it. Hooks of a busy workflow lock it one after the other, so a short one would never succeed. */
const OVERDUE_LOCK_MS = 500;

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
  const locked = new LockedAccounts();
  return {
    name: 'fire schedules',
    what: 'Fires the schedules that are due, each tick exactly once.',
    everyMs: 1_000,
    run: async () => {
      const { db, clock, queue } = deps;
      // Their ticks wait: they fire as soon as there is room, or are recorded as missed.
      const full = await queue.stored.full();
      const claim = (tx: Transaction) => claimDue(tx, clock.now(), { limit: BATCH, except: full });
      while (announce(deps, await db.transaction((tx) => fire(tx, deps, claim))) > 0);
      await fireOverdue(deps, locked, full);
    },
  };
}

/** Fires triggers that are still due, of other accounts if one has just been waited for in vain. */
async function fireOverdue(
  deps: SchedulerDependencies,
  locked: LockedAccounts,
  full: readonly string[],
): Promise<void> {
  const { db, clock, logger } = deps;
  const since = new Date(clock.now().getTime() - OVERDUE_MS);
  const overdue = await dueSince(db, since, { limit: OVERDUE_LIMIT, except: [...locked.resting, ...full] });
  await eachAlone(overdue, async ({ uuid, account }) => {
    if (locked.isResting(account)) return;
    const claim = (tx: Transaction) => awaitDue(tx, clock.now(), uuid);
    const looks = await locked.attempt(db, account, (tx) => fire(tx, deps, claim), OVERDUE_LOCK_MS);
    if (looks !== undefined) announce(deps, looks);
    else logger.warn({ trigger: uuid }, 'schedules: a trigger is locked by other sessions');
  });
}

/** Records the due ticks of the triggers that `claim` locks. */
async function fire(
  tx: Transaction,
  { clock, queue }: SchedulerDependencies,
  claim: (tx: Transaction) => Promise<DueTrigger[]>,
): Promise<Look[]> {
  const triggers = await claim(tx);
  if (triggers.length === 0) return [];
  const now = clock.now();
  const found = lookAt(triggers, now);
  const firings = found.flatMap((look) => look.firings);
  if (firings.length > 0) await recordFirings(tx, queue, now, firings);
  await moveTicks(tx, found);
  return found;
}

/** After the commit. @returns the number of triggers. */
function announce({ queue, logger }: SchedulerDependencies, looks: readonly Look[]): number {
  if (looks.some(({ firings }) => firings.length > 0)) queue.announce();
  for (const { uuid, error } of looks) {
    if (error !== undefined) logger.error({ trigger: uuid, ...errorFields(error) }, 'schedules: no tick can be found');
  }
  return looks.length;
}
