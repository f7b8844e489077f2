import { type Queryable } from '../../../platform/db/database.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type AppRegistry } from '../apps/registry.js';

const MAX_NAMES = 20;

/** Workflows that depend on an integration: the names of up to 20, and the total. */
export interface Dependents {
  names: string[];
  total: number;
}

interface Row {
  uuid: string;
  name: string;
  status: string;
  total: number;
}

/** SQL expressions for `dependentIds`. */
export interface DependedOn {
  /** The uuids of the integration and its account. */
  integration: string;
  account: string;
  /** Whether the integration offers the event of the trigger `t`. */
  isOffered: string;
  /** Rows `o (event, type)`: each of those events with each type that offers it. */
  offers: string;
}

/** SQL for the uuids of the workflows that depend on an integration, including archived ones. */
export function dependentIds({ integration, account, isOffered, offers }: DependedOn): string {
  return `
    SELECT workflow_id FROM triggers WHERE integration_id = ${integration}
    UNION SELECT v.id FROM action_lists l JOIN workflows v ON v.id = l.workflow_id AND v.actions_id = l.id
      WHERE l.integration_ids @> ARRAY[${integration}::uuid] AND l.integration_ids <> '{}'
    UNION SELECT workflow_id FROM triggers t
      WHERE t.account_id = ${account} AND ${isOffered} AND t.integration_id IS NULL AND NOT EXISTS (
        SELECT FROM ${offers} JOIN integrations i USING (type)
        WHERE o.event = t.event AND i.account_id = ${account} AND i.id <> ${integration} AND i.status = 'connected'
          AND i.deleted_at IS NULL)`;
}

const DEPENDENTS = dependentIds({
  integration: '$1',
  account: '$2',
  isOffered: 't.event = ANY($3)',
  offers: 'unnest($4::text[], $5::text[]) o (event, type)',
});

const SELECT = `SELECT w.id AS uuid, w.name, w.status, count(*) OVER () AS total FROM workflows w
  WHERE w.id IN (${DEPENDENTS}) AND w.status <> 'archived'
  ORDER BY w.status <> 'active', w.name, w.id LIMIT ${MAX_NAMES}`;

/**
 * The workflows that depend on an integration: a trigger or an action names it, or no other connection offers the event
 * of a trigger. Active workflows first, archived ones left out.
 */
export async function dependentsOf(
  on: Queryable,
  { uuid, accountId, type }: { uuid: string; accountId: string; type: string },
  apps: AppRegistry,
): Promise<Dependents> {
  const events = apps.eventsOf(type);
  const offers = events.flatMap((event) => apps.typesOffering(event).map((offering) => ({ event, offering })));
  const rows = await on.query<Row>(SELECT, [
    uuid,
    accountId,
    events,
    offers.map(({ event }) => event),
    offers.map(({ offering }) => offering),
  ]);
  return { names: rows.map(nameOf), total: rows[0]?.total ?? 0 };
}

function nameOf({ uuid, name, status }: Row): string {
  return `${name} (${toPublicId('wf', uuid)}${status === 'active' ? '' : `, ${status}`})`;
}
