import { type Database, type Transaction } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { inTurns } from '../../platform/jobs/in-turns.js';
import { LockedAccounts } from '../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { lockRunsById } from '../runs/control/continue-runs.js';
import { type Settlement, type WaitSettlement } from './answering/settle-waits.js';
import { decisionText } from './outcome.js';
import { type Wait } from './wait.entity.js';
import { lockWaitsOf, type StepPlace } from './wait-store.js';

/** Waits that one transaction ends. All are of one account, because it locks the account's counter. */
const BATCH = 500;
/** Waits that one round reads. */
const OF_ALL = 5_000;

/** The first waits of each account whose time is over, the earliest first. $1: how many, $2: accounts without a turn. */
const DUE = inTurns(
  `SELECT clock_now() AS now, account_id AS account, run_id AS "runUuid", step_index AS index, expires_at AS at
   FROM waits WHERE status = 'pending' AND expires_at <= clock_now() AND account_id <> ALL ($2::uuid[])`,
  '$1',
);

type Due = { [K in keyof StepPlace]: StepPlace[K] } & { now: Date; account: string };

/**
 * Ends waits whose time is over by the clock of the database. Accounts take turns. A run that another transaction has locked
 * is left for the next time, and so is an account whose counter is locked.
 */
export function expireWaitsJob(db: Database, settlement: WaitSettlement): PeriodicJob {
  const locked = new LockedAccounts();
  const expire = async (limit: number, signal: AbortSignal | undefined): Promise<boolean> => {
    const due = await db.query<Due>(`${DUE} LIMIT ${OF_ALL}`, [limit, locked.resting]);
    let hasMore = false;
    await eachAlone([...Map.groupBy(due, ({ account }) => account)], async ([account, waits]) => {
      if (signal?.aborted === true) return;
      const count = await locked.attempt(db, account, (tx) => expireIn(tx, settlement, waits));
      hasMore ||= (waits.length === limit || due.length === OF_ALL) && (count ?? 0) > 0;
    });
    return hasMore;
  };
  return {
    name: 'expire waits',
    what: 'Ends waits whose time is over.',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: BATCH, signal }, (limit) => expire(limit, signal)),
  };
}

/** @returns how many of the waits have ended. */
async function expireIn(tx: Transaction, settlement: WaitSettlement, due: readonly Due[]): Promise<number> {
  const { now } = due[0]!;
  const runs = await lockRunsById(
    tx,
    due.map(({ runUuid }) => runUuid),
    'skip',
  );
  const waits = await lockWaitsOf(
    tx,
    due.filter(({ runUuid }) => runs.has(runUuid)),
  );
  const settled = [...waits.values()].flatMap((wait): Settlement[] =>
    isOver(wait, now) ? [{ wait: expired(wait), run: runs.get(wait.runUuid)! }] : [],
  );
  await settlement.settle(tx, now, settled);
  return settled.length;
}

function isOver({ status, expiresAt }: Wait, now: Date): boolean {
  return status === 'pending' && expiresAt !== null && expiresAt <= now;
}

function expired(wait: Wait): Wait {
  const answerText = wait.onTimeout === 'deny' ? decisionText('denied', null, null) : null;
  return Object.assign(wait, { status: 'expired', answerText });
}
