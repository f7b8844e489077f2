import { Company, restAsLong } from '../../../platform/admission/company.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { awaitDue, claimDue, type DueTrigger, DueTriggers, dueSince, moveTicks } from './due-triggers.js';
import { type Look, lookAt } from './tick-firings.js';

/** The maximum number of triggers per transaction. */
const BATCH = 500;
/** The number of triggers whose turns are found at a time. */
const LISTED = 5 * BATCH;
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
  /** `restAsLong`, unless a test counts the rests. */
  rest?: typeof restAsLong;
}

/**
 * Fires schedules, each tick exactly once. Processes may run it concurrently: a trigger is locked while its ticks are
 * recorded, and its next time is written in the same transaction. Accounts take turns, and while there are several, each
 * batch is followed by as long a rest.
 */
export function fireSchedulesJob(deps: SchedulerDependencies): PeriodicJob {
  const locked = new LockedAccounts();
  const company = new Company();
  const triggers = new DueTriggers();
  return {
    name: 'fire schedules',
    what: 'Fires the schedules that are due, each tick exactly once.',
    everyMs: 1_000,
    run: async (signal) => {
      // Their ticks wait: they fire as soon as there is room, or are recorded as missed.
      const full = await deps.queue.stored.full();
      while (await fireInTurns(deps, { company, triggers }, full, signal));
      if (signal?.aborted !== true) await fireOverdue(deps, locked, full);
    },
  };
}

/** Fires triggers that no other session has locked. @returns whether more may be due. */
async function fireInTurns(
  deps: SchedulerDependencies,
  { company, triggers }: { company: Company; triggers: DueTriggers },
  full: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { db, clock, rest = restAsLong } = deps;
  const due = await triggers.next(db, clock.now(), { limit: LISTED, except: full });
  let count = 0;
  for (let left = due; left.length > 0 && signal?.aborted !== true;) {
    const began = performance.now();
    let claimed: DueTrigger[] = [];
    const claim = async (tx: Transaction) => (claimed = await claimDue(tx, clock.now(), left.slice(0, BATCH)));
    const fired = announce(deps, await db.transaction((tx) => fire(tx, deps, claim)));
    // Those whose ticks were not computed yet come first in the next batch.
    left = [...claimed.slice(fired).map(({ uuid }) => uuid), ...left.slice(BATCH)];
    count += fired;
    for (const { account } of claimed) company.note(account);
    if (fired > 0 && company.isMixed) await rest(began, signal);
  }
  return due.length === LISTED && count > 0 && signal?.aborted !== true;
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
  const found = await lookAt(triggers, now);
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
