import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { inTurns } from '../../../platform/jobs/in-turns.js';
import { type TriggerConfig } from '../trigger-config.js';

/** A schedule that may have due ticks. */
export interface DueTrigger {
  uuid: string;
  account: string;
  config: TriggerConfig;
  ticksFrom: Date;
}

const COLUMNS = `t.id AS uuid, t.account_id AS account, t.config, t.next_fire_at AS "ticksFrom"`;
const IS_DUE = `t.next_fire_at <= $1 AND t.status = 'active' AND w.status = 'active'`;

const DUE = `SELECT ${COLUMNS} FROM workflows w JOIN triggers t ON t.workflow_id = w.id WHERE ${IS_DUE}`;

const CLAIM = `
  SELECT ${COLUMNS} FROM unnest($2::uuid[]) WITH ORDINALITY wanted (id, place)
  JOIN triggers t ON t.id = wanted.id JOIN workflows w ON w.id = t.workflow_id
  WHERE ${IS_DUE} ORDER BY place FOR NO KEY UPDATE OF w, t SKIP LOCKED`;

/** Which due triggers to read. */
interface Choice {
  limit: number;
  /** Leaves out the triggers of these accounts. */
  except: readonly string[];
}

/**
 * The due triggers that take turns, longest due first. Of each account there are 10,000 at most, often all due in the
 * same minute.
 */
const LOOKED_AT = 50_000;

const IN_TURNS = inTurns(
  `SELECT t.id AS uuid, t.account_id AS account, t.next_fire_at AS at
   FROM workflows w JOIN triggers t ON t.workflow_id = w.id
   WHERE ${IS_DUE} AND t.account_id <> ALL ($3::uuid[]) ORDER BY t.next_fire_at LIMIT ${LOOKED_AT}`,
);

/** The uuids of due triggers, locked or not, in turns of their accounts, so that none delays another. */
export async function dueInTurns(on: Queryable, now: Date, { limit, except }: Choice): Promise<string[]> {
  const due = await on.query<{ uuid: string }>(`${IN_TURNS} LIMIT $2`, [now, limit, except]);
  return due.map(({ uuid }) => uuid);
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
  return tx.query(`${DUE} AND t.id = $2 FOR NO KEY UPDATE OF w, t`, [now, uuid]);
}

/** Random triggers that have been due since `moment`, locked or not, except those of some accounts. */
export function dueSince(db: Database, moment: Date, { limit, except }: Choice): Promise<DueTrigger[]> {
  return db.query(`${DUE} AND t.account_id <> ALL ($3::uuid[]) ORDER BY random() LIMIT $2`, [moment, limit, except]);
}

/** Sets the time from which the next tick of each trigger is computed. */
export async function moveTicks(tx: Transaction, moved: readonly { uuid: string; ticksFrom: Date }[]): Promise<void> {
  await tx.query(
    `UPDATE triggers t SET next_fire_at = m.at FROM unnest($1::uuid[], $2::timestamptz[]) m (id, at) WHERE t.id = m.id`,
    [moved.map(({ uuid }) => uuid), moved.map(({ ticksFrom }) => ticksFrom)],
  );
}
