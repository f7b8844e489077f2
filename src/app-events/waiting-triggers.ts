import { type Database } from '../db/database.js';
import { passes } from '../triggers/event-filter.js';
import { type AppEvent } from './event-post.js';

/** A trigger that waits for an event, in whatever state it is. */
export interface WaitingTrigger {
  uuid: string;
  workflowUuid: string;
}

interface Row extends WaitingTrigger {
  accountId: string;
  event: string;
  integrationUuid: string | null;
  filter: Record<string, unknown> | null;
}

/** For each event, the triggers of its account that wait for it in its integration or in any, and whose filter it passes. */
export async function findWaitingTriggers(db: Database, events: readonly AppEvent[]): Promise<WaitingTrigger[][]> {
  if (events.length === 0) return [];
  const asked = new Map(events.map((event) => [nameOf(event.settings.accountId, event.name), event]));
  const rows = await db.query<Row>(
    `SELECT t.id AS uuid, t.workflow_id AS "workflowUuid", t.account_id AS "accountId", t.event,
            t.integration_id AS "integrationUuid", t.config->'filter' AS filter
     FROM unnest($1::uuid[], $2::text[]) e (account_id, event) JOIN triggers t USING (account_id, event)
     WHERE t.type = 'app_event' ORDER BY t.id`,
    [[...asked.values()].map(({ settings }) => settings.accountId), [...asked.values()].map(({ name }) => name)],
  );
  const byEvent = Map.groupBy(rows, (row) => nameOf(row.accountId, row.event));
  return events.map(({ settings, name, value }) =>
    (byEvent.get(nameOf(settings.accountId, name)) ?? []).filter(
      ({ integrationUuid, filter }) =>
        (integrationUuid ?? settings.integrationUuid) === settings.integrationUuid && passes(filter ?? {}, value),
    ),
  );
}

function nameOf(accountId: string, event: string): string {
  return `${accountId} ${event}`;
}
