import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { lockRunsById } from '../runs/control/continue-runs.js';
import { type Settlement, type WaitSettlement } from './answering/settle-waits.js';
import { decisionText } from './outcome.js';
import { type Wait } from './wait.entity.js';
import { lockWaitsOf, type StepPlace } from './wait-store.js';

/** Waits that one transaction ends. */
const BATCH = 500;

/** Ends waits whose time is over by the clock of the database. A run that another transaction has locked is left for the next time. */
export function expireWaitsJob(db: Database, settlement: WaitSettlement): PeriodicJob {
  const expire = async (limit: number): Promise<boolean> => {
    const due = await db.query<{ [K in keyof StepPlace]: StepPlace[K] } & { now: Date }>(
      `SELECT clock_now() AS now, run_id AS "runUuid", step_index AS index FROM waits WHERE status = 'pending' AND expires_at <= clock_now()
       ORDER BY expires_at LIMIT $1`,
      [limit],
    );
    if (due.length === 0) return false;
    const { now } = due[0]!;
    const count = await db.transaction(async (tx) => {
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
    });
    return due.length === limit && count > 0;
  };
  return {
    name: 'expire waits',
    what: 'Ends waits whose time is over.',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: BATCH, signal }, expire),
  };
}

function isOver({ status, expiresAt }: Wait, now: Date): boolean {
  return status === 'pending' && expiresAt !== null && expiresAt <= now;
}

function expired(wait: Wait): Wait {
  const answerText = wait.onTimeout === 'deny' ? decisionText('denied', null, null) : null;
  return Object.assign(wait, { status: 'expired', answerText });
}
