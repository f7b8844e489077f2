import { type Queryable } from '../db/database.js';
import { toPublicId } from '../ids.js';
import { type AppRegistry } from './apps/registry.js';

const MOST_NAMED = 20;

/** Workflows that need an integration: a few of them by name, and how many there are. */
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

const SELECT = `SELECT w.id AS uuid, w.name, w.status, count(*) OVER () AS total FROM workflows w WHERE w.id IN (
    SELECT workflow_id FROM triggers WHERE integration_id = $1
    UNION SELECT v.id FROM action_lists l JOIN workflows v ON v.actions_id = l.id
      WHERE l.integration_ids @> ARRAY[$1::uuid] AND l.integration_ids <> '{}'
    UNION SELECT workflow_id FROM triggers t
      WHERE t.account_id = $2 AND t.event = ANY($3) AND t.integration_id IS NULL AND NOT EXISTS (
        SELECT FROM unnest($4::text[], $5::text[]) o (event, type) JOIN integrations i USING (type)
        WHERE o.event = t.event AND i.account_id = $2 AND i.id <> $1 AND i.status = 'connected'
          AND i.deleted_at IS NULL))
    AND w.status <> 'archived'
  ORDER BY w.status <> 'active', w.name, w.id LIMIT ${MOST_NAMED}`;

/**
 * The workflows that depend on an integration: by a trigger or an action that names it, or by a trigger for whose event
 * no other connection is there. Active ones first, without archived ones.
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
