import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type StatusFollower } from '../../workflows/workflow.service.js';
import { type TriggerConfig } from '../trigger-config.js';

/** A schedule that may have due ticks. */
export interface DueTrigger {
  uuid: string;
  config: TriggerConfig;
  ticksFrom: Date;
}

const DUE = `
  SELECT t.id AS uuid, t.account_id AS account, t.config, t.next_fire_at AS "ticksFrom"
  FROM workflows w JOIN triggers t ON t.workflow_id = w.id
  WHERE t.next_fire_at <= $1 AND t.status = 'active' AND w.status = 'active'`;

/** Which due triggers to lock. */
interface Claim {
  limit: number;
  /** Leaves out the triggers of these accounts. */
  except: readonly string[];
}

/**
 * Locks due triggers, longest due first, and their workflows, whose state must not change either. Skips rows that
 * another session has locked, e.g. another scheduler or a firing hook.
 */
export function claimDue(tx: Transaction, now: Date, { limit, except }: Claim): Promise<DueTrigger[]> {
  return tx.query(
    `${DUE} AND t.account_id <> ALL ($3::uuid[])
     ORDER BY t.next_fire_at LIMIT $2 FOR NO KEY UPDATE OF w, t SKIP LOCKED`,
    [now, limit, except],
  );
}

/** Locks one trigger if it is still due, and waits for the lock. */
export function awaitDue(tx: Transaction, now: Date, uuid: string): Promise<DueTrigger[]> {
  return tx.query(`${DUE} AND t.id = $2 FOR NO KEY UPDATE OF w, t`, [now, uuid]);
}

/** Random triggers that have been due since `moment`, locked or not, except those of some accounts. */
export function dueSince(
  db: Database,
  moment: Date,
  { limit, except }: Claim,
): Promise<(DueTrigger & { account: string })[]> {
  return db.query(`${DUE} AND t.account_id <> ALL ($3::uuid[]) ORDER BY random() LIMIT $2`, [moment, limit, except]);
}

/** Sets the time from which the next tick of each trigger is computed. */
export async function moveTicks(tx: Transaction, moved: readonly { uuid: string; ticksFrom: Date }[]): Promise<void> {
  await tx.query(
    `UPDATE triggers t SET next_fire_at = m.at FROM unnest($1::uuid[], $2::timestamptz[]) m (id, at) WHERE t.id = m.id`,
    [moved.map(({ uuid }) => uuid), moved.map(({ ticksFrom }) => ticksFrom)],
  );
}

/**
 * Sets from when the schedules of a workflow tick: from its activation, or never. A separate statement, so that it sees
 * triggers that were created or changed while the transaction waited for the workflow's lock.
 */
export const armSchedules: StatusFollower = async (tx, workflow, activeSince) => {
  await tx.query(
    `UPDATE triggers SET next_fire_at = $2 WHERE workflow_id = $1 AND type = 'schedule' AND status = 'active'`,
    [workflow, activeSince],
  );
};
