import { type Clock } from '../../../platform/clock.js';
import { type Transaction } from '../../../platform/db/database.js';
import { type ChangeFollower } from '../../integrations/changes/record-change.js';
import { type EventCatalog } from '../define-trigger-kind.js';
import { recordStatusChange } from './waiting-changes.js';

/** An integration that was connected or lost its connection. */
interface Source {
  uuid: string;
  accountId: string;
  type: string;
}

/** A trigger whose status changed. */
type Changed = { uuid: string };

/**
 * Sets the triggers of an integration to `error` when it loses its connection, and back to `active` when it is
 * connected again. Paused triggers stay paused. A trigger that names no integration depends on all that offer its
 * event: it gets `error` with the last of them.
 */
export function followIntegrations(clock: Clock, catalog: EventCatalog): ChangeFollower {
  return async (tx, integration, { from, to, hops = 0 }) => {
    if ((from === 'connected') === (to === 'connected')) return;
    const status = to === 'connected' ? 'active' : 'error';
    const changed = await (status === 'active' ? heal : fail)(tx, integration, catalog);
    const uuids = changed.map(({ uuid }) => uuid).sort();
    await recordStatusChange(tx, { accountId: integration.accountId, status, at: clock.now(), hops, uuids });
  };
}

function heal(tx: Transaction, { uuid, accountId, type }: Source, catalog: EventCatalog): Promise<Changed[]> {
  return tx.query<Changed>(
    `UPDATE triggers t SET status = 'active' WHERE account_id = $1 AND type = 'app_event' AND status = 'error'
       AND (integration_id = $2 OR (integration_id IS NULL AND event = ANY($3))) RETURNING t.id AS uuid`,
    [accountId, uuid, catalog.eventsOf(type)],
  );
}

function fail(tx: Transaction, { uuid, accountId, type }: Source, catalog: EventCatalog): Promise<Changed[]> {
  const events = catalog.eventsOf(type);
  const offers = events.flatMap((event) => catalog.typesOffering(event).map((offering) => ({ event, offering })));
  // Changes of one account are serialized: if two integrations end at the same time, the second change sees the first.
  return tx.query<Changed>(
    `UPDATE triggers t SET status = 'error' WHERE account_id = $1 AND type = 'app_event' AND status = 'active'
       AND (integration_id = $2 OR (integration_id IS NULL AND event = ANY($3) AND NOT EXISTS (
         SELECT FROM unnest($4::text[], $5::text[]) o (event, type) JOIN integrations i USING (type)
         WHERE o.event = t.event AND i.account_id = $1 AND i.status = 'connected' AND i.deleted_at IS NULL)))
     RETURNING t.id AS uuid`,
    [accountId, uuid, events, offers.map(({ event }) => event), offers.map(({ offering }) => offering)],
  );
}
