import { type Clock } from '../../platform/clock.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Transaction } from '../../platform/db/database.js';
import { type ChangeFollower } from '../integrations/changes/record-change.js';
import { type EventCatalog } from './define-trigger-kind.js';
import { recordTriggerEvents } from './trigger-webhook.js';
import { Trigger } from './trigger.entity.js';

const COLUMNS = columnsOf(Trigger, 't');

/** An integration that a change connects, or ends. */
interface Source {
  uuid: string;
  accountId: string;
  type: string;
}

/**
 * Puts the triggers of an integration that is lost to `error`, and back to `active` when it is connected again; paused
 * ones stay so. A trigger that names no integration is lost with the last one that offers its event.
 */
export function followIntegrations(clock: Clock, catalog: EventCatalog): ChangeFollower {
  return async (tx, integration, { from, to, hops = 0 }) => {
    if ((from === 'connected') === (to === 'connected')) return;
    const triggers = await (to === 'connected' ? heal : fail)(tx, integration, catalog);
    await recordTriggerEvents(tx, { type: 'trigger.updated', at: clock.now(), hops, triggers });
  };
}

function heal(tx: Transaction, { uuid, accountId, type }: Source, catalog: EventCatalog): Promise<Trigger[]> {
  return tx.select(
    Trigger,
    `UPDATE triggers t SET status = 'active' WHERE account_id = $1 AND type = 'app_event' AND status = 'error'
       AND (integration_id = $2 OR (integration_id IS NULL AND event = ANY($3))) RETURNING ${COLUMNS}`,
    [accountId, uuid, catalog.eventsOf(type)],
  );
}

function fail(tx: Transaction, { uuid, accountId, type }: Source, catalog: EventCatalog): Promise<Trigger[]> {
  const events = catalog.eventsOf(type);
  const offers = events.flatMap((event) => catalog.typesOffering(event).map((offering) => ({ event, offering })));
  // Changes of one account come one after the other, so that of two that end at once the later sees the earlier.
  return tx.select(
    Trigger,
    `UPDATE triggers t SET status = 'error' WHERE account_id = $1 AND type = 'app_event' AND status = 'active'
       AND (integration_id = $2 OR (integration_id IS NULL AND event = ANY($3) AND NOT EXISTS (
         SELECT FROM unnest($4::text[], $5::text[]) o (event, type) JOIN integrations i USING (type)
         WHERE o.event = t.event AND i.account_id = $1 AND i.status = 'connected' AND i.deleted_at IS NULL)))
     RETURNING ${COLUMNS}`,
    [accountId, uuid, events, offers.map(({ event }) => event), offers.map(({ offering }) => offering)],
  );
}
