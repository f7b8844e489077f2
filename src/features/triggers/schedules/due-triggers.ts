import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { DueInTurns, type DueTable } from '../../../platform/jobs/due-in-turns.js';
import { type Schedule } from './schedule-ticks.js';

/** A schedule that may have due ticks. */
export interface DueTrigger extends Schedule {
  uuid: string;
  account: string;
  ticksFrom: Date;
}

/** The parts of a statement that reads the schedule of the trigger `t`: of its config, which may have 100 kB, a few words. */
export const SCHEDULE = {
  columns: `s.cron, coalesce(s.timezone, 'UTC') AS timezone, coalesce(s.catch_up, 'none') AS "catchUp"`,
  // PostgreSQL parses the config once for all of them.
  join: 'CROSS JOIN LATERAL json_to_record(t.config) s (cron text, timezone text, catch_up text)',
};

const OWNER = 't.id AS uuid, t.account_id AS account';
const COLUMNS = `${OWNER}, ${SCHEDULE.columns}, t.next_fire_at AS "ticksFrom"`;
const IS_DUE = `t.next_fire_at <= $1 AND t.status = 'active' AND w.status = 'active'`;

const FROM = 'FROM workflows w JOIN triggers t ON t.workflow_id = w.id';

const CLAIM = `
  SELECT ${COLUMNS} FROM unnest($2::uuid[]) WITH ORDINALITY wanted (id, place)
  JOIN triggers t ON t.id = wanted.id JOIN workflows w ON w.id = t.workflow_id ${SCHEDULE.join}
  WHERE ${IS_DUE} ORDER BY place FOR NO KEY UPDATE OF w, t SKIP LOCKED`;

/** Which due triggers to read. */
interface Choice {
  limit: number;
  /** Leaves out the triggers of these accounts. */
  except: readonly string[];
}

/** Triggers that are due at $2, except those of the accounts $3. */
const DUE_TABLE: DueTable = {
  table: 'triggers',
  at: 'next_fire_at',
  isDue: `t.next_fire_at <= $2 AND t.status = 'active' AND t.account_id <> ALL ($3::uuid[])
    AND EXISTS (SELECT FROM workflows w WHERE w.id = t.workflow_id AND w.status = 'active')`,
  values: 2,
};

/** Finds due triggers in turns of their accounts, so that none delays another. */
export class DueTriggers {
  private readonly due = new DueInTurns(DUE_TABLE);

  /** The uuids of due triggers, locked or not. */
  next(on: Queryable, now: Date, { limit, except }: Choice): Promise<string[]> {
    return this.due.next(on, limit, [now, except]);
  }
}

/**
 * Locks those of some triggers that are still due, and their workflows, whose state must not change either. Skips rows
 * that another session has locked, e.g. another scheduler or a firing hook.
 */
export function claimDue(tx: Transaction, now: Date, uuids: readonly string[]): Promise<DueTrigger[]> {
  return tx.query(CLAIM, [now, uuids]);
}

/** Locks one trigger if it is still due, and waits for the lock. */
export function awaitDue(tx: Transaction, now: Date, uuid: string): Promise<DueTrigger[]> {
  return tx.query(
    `SELECT ${COLUMNS} ${FROM} ${SCHEDULE.join} WHERE ${IS_DUE} AND t.id = $2 FOR NO KEY UPDATE OF w, t`,
    [now, uuid],
  );
}

/** Random triggers that have been due since `moment`, locked or not, except those of some accounts. */
export function dueSince(
  db: Database,
  moment: Date,
  { limit, except }: Choice,
): Promise<Pick<DueTrigger, 'uuid' | 'account'>[]> {
  return db.query(
    `SELECT ${OWNER} ${FROM} WHERE ${IS_DUE} AND t.account_id <> ALL ($3::uuid[]) ORDER BY random() LIMIT $2`,
    [moment, limit, except],
  );
}

/** Sets the time from which the next tick of each trigger is computed. */
export async function moveTicks(tx: Transaction, moved: readonly { uuid: string; ticksFrom: Date }[]): Promise<void> {
  await tx.query(
    `UPDATE triggers t SET next_fire_at = m.at FROM unnest($1::uuid[], $2::timestamptz[]) m (id, at) WHERE t.id = m.id`,
    [moved.map(({ uuid }) => uuid), moved.map(({ ticksFrom }) => ticksFrom)],
  );
}
