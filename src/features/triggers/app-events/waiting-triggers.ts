import { Pace } from '../../../platform/admission/pace.js';
import { type Database } from '../../../platform/db/database.js';
import { partition } from '../../../platform/partition.js';
import { passes } from '../event-filter.js';
import { type AppEvent } from './event-post.js';

/** Triggers that one statement reads; a config may have 100 kB, so the first page, which shows their size, is shorter. */
const PAGE = 200;
const FIRST_PAGE = 50;
/** Comparisons in one turn of the event loop. */
const LOOKS_AT_ONCE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** A trigger that waits for an event, in any state. */
export interface WaitingTrigger {
  uuid: string;
  workflowUuid: string;
}

/** The triggers that an event fires, and the comparisons that finding them took. */
export interface EventMatch {
  triggers: WaitingTrigger[];
  /** The number of compared triggers and filter paths. */
  looks: number;
}

interface Row extends WaitingTrigger {
  /** The position, from 1, of its event's group in the query. */
  place: number;
  integrationUuid: string | null;
  filter: Record<string, unknown> | null;
  /** The length of its config, which PostgreSQL parses as a whole. */
  bytes: number;
}

/** Events of one name in one account, and the last trigger that they were compared with. */
interface Asked {
  events: readonly AppEvent[];
  after: string;
  /** The bytes of the configs read so far. */
  bytes: number;
}

/**
 * For each event, the triggers of its account that wait for it, in its integration or in any, and whose filter it
 * passes. An account may have ten thousand triggers, so they are read in pages and compared in several turns of the
 * event loop. Calls `onRead` after each page, with the bytes of the configs that an event has been compared with so far.
 * @returns undefined for an event for which `onRead` returned false: it is not compared with further triggers.
 */
export async function findWaitingTriggers(
  db: Database,
  events: readonly AppEvent[],
  onRead: (event: AppEvent, bytes: number) => boolean = () => true,
): Promise<(EventMatch | undefined)[]> {
  const matches = new Map<AppEvent, EventMatch>(events.map((event) => [event, { triggers: [], looks: 0 }]));
  const byName = Map.groupBy(events, ({ settings, name }) => `${settings.accountId} ${name}`);
  let open = [...byName.values()].map((alike): Asked => ({ events: alike, after: FIRST, bytes: 0 }));
  const pace = new Pace(LOOKS_AT_ONCE);
  for (let page = FIRST_PAGE; open.length > 0; page = PAGE) {
    const size = Math.ceil(page / open.length);
    const rows = Map.groupBy(await readPage(db, open, size), ({ place }) => place);
    for (const row of [...rows.values()].flat()) {
      for (const event of open[row.place - 1]!.events) {
        compare(row, event, matches.get(event)!, pace);
        if (pace.isTired) await pace.rest();
      }
    }
    open = open.flatMap(({ events: alike, bytes: before }, index) => {
      const found = rows.get(index + 1) ?? [];
      const bytes = found.reduce((sum, row) => sum + row.bytes, before);
      const [left, stopped] = partition(alike, (event) => onRead(event, bytes));
      for (const event of stopped) matches.delete(event);
      return found.length < size || left.length === 0 ? [] : [{ events: left, after: found.at(-1)!.uuid, bytes }];
    });
  }
  return events.map((event) => matches.get(event));
}

function readPage(db: Database, open: readonly Asked[], size: number): Promise<Row[]> {
  return db.query<Row>(
    `SELECT e.place::integer AS place, t.id AS uuid, t.workflow_id AS "workflowUuid",
            t.integration_id AS "integrationUuid", t.config->'filter' AS filter,
            octet_length(t.config::text) AS bytes
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY e (account_id, event, after, place)
     CROSS JOIN LATERAL (
       SELECT t.* FROM triggers t
       WHERE t.account_id = e.account_id AND t.event = e.event AND t.type = 'app_event' AND t.id > e.after
       ORDER BY t.id LIMIT $4) t
     ORDER BY e.place, t.id`,
    [
      open.map(({ events: [first] }) => first!.settings.accountId),
      open.map(({ events: [first] }) => first!.name),
      open.map(({ after }) => after),
      size,
    ],
  );
}

function compare(row: Row, { settings, value }: AppEvent, match: EventMatch, pace: Pace): void {
  const look = () => {
    match.looks += 1;
    pace.step();
  };
  look();
  if ((row.integrationUuid ?? settings.integrationUuid) !== settings.integrationUuid) return;
  const { uuid, workflowUuid } = row;
  if (passes(row.filter ?? {}, value, look)) match.triggers.push({ uuid, workflowUuid });
}
