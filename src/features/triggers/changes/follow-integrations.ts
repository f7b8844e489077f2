import { changeTimeSql } from '../../../platform/changes/change-time.js';
import { type Transaction } from '../../../platform/db/database.js';
import { type ChangeFollower } from '../../integrations/changes/record-change.js';
import { type EventCatalog } from '../define-trigger-kind.js';
import { type TriggerStatus } from '../../workflows/trigger-type.js';
import { recordStatusChange } from './waiting-changes.js';

/** An integration that was connected or lost its connection. */
interface Source {
  uuid: string;
  accountId: string;
  type: string;
}

/** A trigger whose status changed, and when: all of a change at the same time. */
interface Changed {
  uuid: string;
  at: Date;
}

/** Which triggers to change: a condition, and its parameters from `$4`. */
type Change = [where: string, ...values: unknown[]];

/**
 * Sets the triggers of an integration to `error` when it loses its connection, and back to `active` when it is
 * connected again. Paused triggers stay paused. A trigger that names no integration depends on all that offer its
 * event: it gets `error` with the last of them.
 */
export function followIntegrations(catalog: EventCatalog): ChangeFollower {
  return async (tx, integration, { from, to, at, hops = 0 }) => {
    if ((from === 'connected') === (to === 'connected')) return;
    const { accountId } = integration;
    const status = to === 'connected' ? 'active' : 'error';
    const change = (status === 'active' ? healed : failed)(integration, catalog);
    const changed = await set(tx, { accountId, status, at }, change);
    const uuids = changed.map(({ uuid }) => uuid).sort();
    await recordStatusChange(tx, { accountId, status, at: changed[0]?.at ?? at, hops, uuids });
  };
}

/** One time for all of them, later than the last change of each: their events wait together. */
function set(
  tx: Transaction,
  { accountId, status, at }: { accountId: string; status: TriggerStatus; at: Date },
  [where, ...values]: Change,
): Promise<Changed[]> {
  return tx.query<Changed>(
    `WITH changing AS (
       SELECT id, updated_at FROM triggers t WHERE account_id = $1 AND type = 'app_event' AND ${where}
       FOR NO KEY UPDATE)
     UPDATE triggers t SET status = $2,
       updated_at = (SELECT ${changeTimeSql('$3', 'max(updated_at)')} FROM changing)
     FROM changing WHERE t.id = changing.id RETURNING t.id AS uuid, t.updated_at AS at`,
    [accountId, status, at, ...values],
  );
}

function healed({ uuid, type }: Source, catalog: EventCatalog): Change {
  return [
    `status = 'error' AND (integration_id = $4 OR (integration_id IS NULL AND event = ANY($5)))`,
    uuid,
    catalog.eventsOf(type),
  ];
}

function failed({ uuid, type }: Source, catalog: EventCatalog): Change {
  const events = catalog.eventsOf(type);
  const offers = events.flatMap((event) => catalog.typesOffering(event).map((offering) => ({ event, offering })));
  // Changes of one account are serialized: if two integrations end at the same time, the second change sees the first.
  return [
    `status = 'active' AND (integration_id = $4 OR (integration_id IS NULL AND event = ANY($5) AND NOT EXISTS (
       SELECT FROM unnest($6::text[], $7::text[]) o (event, type) JOIN integrations i USING (type)
       WHERE o.event = t.event AND i.account_id = $1 AND i.status = 'connected' AND i.deleted_at IS NULL)))`,
    uuid,
    events,
    offers.map(({ event }) => event),
    offers.map(({ offering }) => offering),
  ];
}
