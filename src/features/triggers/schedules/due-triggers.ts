import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type TriggerConfig } from '../trigger-config.js';

/** A schedule to look at: some of its ticks may be due. */
export interface DueTrigger {
  uuid: string;
  config: TriggerConfig;
  ticksFrom: Date;
}

const DUE = `
  SELECT t.id AS uuid, t.config, t.next_fire_at AS "ticksFrom"
  FROM workflows w JOIN triggers t ON t.workflow_id = w.id
  WHERE t.next_fire_at <= $1 AND t.status = 'active' AND w.status = 'active'`;

/**
 * Holds triggers that are due, those that wait longest first, each with its workflow, which also keeps its state. What
 * somebody else holds is left out: another scheduler, or a hook that fires.
 */
export function claimDue(tx: Transaction, now: Date, limit: number): Promise<DueTrigger[]> {
  return tx.query(`${DUE} ORDER BY t.next_fire_at LIMIT $2 FOR NO KEY UPDATE OF w, t SKIP LOCKED`, [now, limit]);
}

/** Waits for one trigger, for half a second at most, and holds it if it is due still. */
export async function awaitDue(tx: Transaction, now: Date, uuid: string): Promise<DueTrigger[]> {
  await tx.query(`SELECT set_config('lock_timeout', '500ms', true)`);
  return tx.query(`${DUE} AND t.id = $2 FOR NO KEY UPDATE OF w, t`, [now, uuid]);
}

/** Some of the triggers that have been due since a moment, held or not. */
export async function dueSince(db: Database, moment: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ uuid: string }>(`${DUE} ORDER BY random() LIMIT $2`, [moment, limit]);
  return rows.map(({ uuid }) => uuid);
}

/** Says from when on each of these triggers is looked at next. */
export async function moveTicks(tx: Transaction, moved: readonly { uuid: string; ticksFrom: Date }[]): Promise<void> {
  await tx.query(
    `UPDATE triggers t SET next_fire_at = m.at FROM unnest($1::uuid[], $2::timestamptz[]) m (id, at) WHERE t.id = m.id`,
    [moved.map(({ uuid }) => uuid), moved.map(({ ticksFrom }) => ticksFrom)],
  );
}
