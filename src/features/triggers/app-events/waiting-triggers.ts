import { Pace } from '../../../platform/admission/pace.js';
import { type Database } from '../../../platform/db/database.js';
import { partition } from '../../../platform/partition.js';
import { passes } from '../event-filter.js';
import { type AppEvent } from './event-post.js';
import { MatchTally } from './match-tally.js';

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
  alike: readonly Alike[];
  after: string;
  /** The bytes of the configs read so far. */
  bytes: number;
}

/** The events of one post among them. */
interface Alike {
  events: readonly [AppEvent, ...AppEvent[]];
  tally: MatchTally;
}

/** How an event's matches are counted, and when its comparison ends. */
interface Counting {
  /** The tally of a post in an account, the same for all of its events there. */
  tallyOf: (event: AppEvent) => MatchTally;
  /**
   * Called after each page, once for the events of one name of a post, with the bytes of the configs that they have been
   * compared with so far. @returns false to compare them with no further triggers.
   */
  onRead: (event: AppEvent, bytes: number) => boolean;
}

/**
 * For each event, the triggers of its account that wait for it, in its integrations or in any, and whose filter it
 * passes. An account may have ten thousand triggers, so they are read in pages and compared in several turns of the
 * event loop. Events share the object of a trigger. Once a tally is over, its events are not compared further: their
 * matches are incomplete.
 * @returns undefined for an event for which `onRead` returned false.
 */
export async function findWaitingTriggers(
  db: Database,
  events: readonly AppEvent[],
  { tallyOf = () => new MatchTally(), onRead = () => true }: Partial<Counting> = {},
): Promise<(EventMatch | undefined)[]> {
  const matches = new Map<AppEvent, EventMatch>(events.map((event) => [event, { triggers: [], looks: 0 }]));
  const byName = Map.groupBy(events, ({ settings, name }) => `${settings.accountId} ${name}`);
  let open = [...byName.values()].map((found): Asked => ({ alike: alikeIn(found, tallyOf), after: FIRST, bytes: 0 }));
  const pace = new Pace(LOOKS_AT_ONCE);
  for (let page = FIRST_PAGE; open.length > 0; page = PAGE) {
    const size = Math.ceil(page / open.length);
    const rows = Map.groupBy(await readPage(db, open, size), ({ place }) => place);
    for (const row of [...rows.values()].flat()) {
      for (const alike of open[row.place - 1]!.alike) await compareAll(row, alike, matches, pace);
    }
    open = open.flatMap(({ alike, bytes: before }, index) => {
      const found = rows.get(index + 1) ?? [];
      const bytes = found.reduce((sum, row) => sum + row.bytes, before);
      const [left, stopped] = partition(alike, ({ events: [first] }) => onRead(first, bytes));
      for (const event of stopped.flatMap((each) => each.events)) matches.delete(event);
      const rest = left.filter(({ tally }) => !tally.isOver);
      return found.length < size || rest.length === 0 ? [] : [{ alike: rest, after: found.at(-1)!.uuid, bytes }];
    });
  }
  return events.map((event) => matches.get(event));
}

function alikeIn(events: readonly AppEvent[], tallyOf: Counting['tallyOf']): Alike[] {
  return [...Map.groupBy(events, tallyOf)].map(([tally, [first, ...more]]) => ({ tally, events: [first!, ...more] }));
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
      open.map(({ alike: [first] }) => first!.events[0].settings.accountId),
      open.map(({ alike: [first] }) => first!.events[0].name),
      open.map(({ after }) => after),
      size,
    ],
  );
}

/** Compares a trigger with the events of one post. */
async function compareAll(
  row: Row,
  { events, tally }: Alike,
  matches: ReadonlyMap<AppEvent, EventMatch>,
  pace: Pace,
): Promise<void> {
  const [{ integrations }] = events;
  if (row.integrationUuid !== null && !integrations.has(row.integrationUuid)) {
    tally.look();
    pace.step();
    if (pace.isTired) await pace.rest();
    return;
  }
  const trigger: WaitingTrigger = { uuid: row.uuid, workflowUuid: row.workflowUuid };
  for (const event of events) {
    if (tally.isOver) return;
    const match = matches.get(event)!;
    const look = () => {
      match.looks += 1;
      tally.look();
      pace.step();
    };
    look();
    if (passes(row.filter ?? {}, event.value, look) && tally.match()) match.triggers.push(trigger);
    if (pace.isTired) await pace.rest();
  }
}
