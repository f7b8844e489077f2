import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Transaction } from '../../src/platform/db/database.js';
import { armSchedules } from '../../src/features/triggers/schedules/arm-schedules.js';
import { claimDue } from '../../src/features/triggers/schedules/due-triggers.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { lengthsOf, rowsOf } from '../support/database/rows-of.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

const MB = 1_048_576;
/** With 90 kB, as empty objects: parsed they take twenty times as much. */
const LONG = { zz: Array.from({ length: 30_000 }, () => ({})) };
const TRIGGERS = 60;

let world: TriggerWorld;
let workflowId: string;
let workflowUuid: string;
const schedules: Trigger[] = [];
const hooks: Trigger[] = [];
beforeAll(async () => {
  world = await TriggerWorld.open();
  const workflow = await world.workflow();
  [workflowId, workflowUuid] = [workflow.id, workflow.uuid];
  for (let n = 0; n < TRIGGERS / 2; n += 1) {
    const schedule = { type: 'schedule', config: { cron: `${n} * * * *`, catch_up: 'last', ...LONG } } as const;
    schedules.unshift(await world.trigger({ workflowId, ...schedule }));
    hooks.unshift(await world.trigger({ workflowId, config: { n, secret: `of ${n}`, ...LONG } }));
  }
});
afterAll(() => world.close());

const sizesOf = (statements: readonly object[][]) => statements.map((rows) => JSON.stringify(rows).length);
const asked = (document: string) => rowsOf(world.db, 'triggers', () => world.ask<any>(document));

describe('a document that selects nothing of a config', () => {
  const SHOWN = 'id name type status webhookUrl createdAt workflowId';

  it.each([
    ['triggers', () => `{ triggers(perPage: 100) { items { ${SHOWN} } meta { total } } }`],
    ['triggerConnection', () => `{ triggerConnection(first: 100) { edges { node { ${SHOWN} } } totalCount } }`],
    ['Workflow.triggers', () => `{ workflows { items { triggers(perPage: 100) { items { ${SHOWN} } } } } }`],
  ])('reads none of %s', async (_, document) => {
    const { statements } = await asked(document());
    expect(statements.flat().length).toBeGreaterThanOrEqual(TRIGGERS);
    expect(Math.max(...sizesOf(statements))).toBeLessThan(TRIGGERS * 1_000);
  });
});

describe('a document that selects configs', () => {
  it.each([
    ['triggers', () => `{ triggers(perPage: 100) { items { id config } } }`],
    ['triggerConnection', () => `{ triggerConnection(first: 100) { edges { node { id config } } } }`],
    ['Workflow.triggers', () => `{ workflows { items { triggers(perPage: 100) { items { id config } } } } }`],
    ['upcomingFirings', () => `{ upcomingFirings(first: 30) { trigger { id config } } }`],
  ])('reads those of %s in portions, as texts', async (_, document) => {
    const { found, statements } = await asked(document());
    const values = statements.flat().flatMap((row) => Object.values(row) as unknown[]);
    expect(values.filter((value) => Object.keys(Object(value) as object).includes('zz'))).toEqual([]);
    const { lengths } = await lengthsOf(world.db, { table: 'triggers', text: 'configText' }, () => asked(document()));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
    expect(JSON.stringify(found)).toContain(JSON.stringify(schedules[0]!.config));
  });

  it('gives each config back as it was sent, its secret too', async () => {
    const { found } = await asked(`{ triggers(perPage: 100, type: WEBHOOK) { items { id config unreadable } } }`);
    const expected = hooks.map(({ id }, place) => {
      const n = hooks.length - 1 - place;
      return { id, config: { n, secret: `of ${n}`, ...LONG }, unreadable: null };
    });
    expect(JSON.stringify(found.triggers.items)).toBe(JSON.stringify(expected));
  });

  it('has the same etag and ticks by every path', async () => {
    const fields = 'id etag nextFireAt scheduleInWords unreadable';
    const list = (await world.ask<any>(`{ triggers(perPage: 100) { items { ${fields} } } }`)).triggers.items;
    const linked = await world.ask<any>(
      `{ workflow(id: "${workflowId}") { triggers(perPage: 100) { items { ${fields} } } } }`,
    );
    expect(linked.workflow.triggers.items).toEqual(list);
    const [one] = list;
    expect((await world.ask<any>(`{ trigger(id: "${one.id}") { ${fields} } }`)).trigger).toEqual(one);
    expect(one.etag).toBe((await world.triggers.get(world.context, one.id)).etag);
    expect(list.filter(({ nextFireAt }: any) => nextFireAt !== null)).toHaveLength(schedules.length);
  });

  it.each([
    ['triggers', (id: string) => `{ of: triggers(workflowId: "${id}") { items { id config } } }`],
    ['Workflow.triggers', (id: string) => `{ workflow(id: "${id}") { of: triggers { items { id config } } } }`],
  ])('leaves a trigger out of %s that was deleted after the list was read', async (_, document) => {
    const other = await world.workflow();
    const kept = await world.trigger({ workflowId: other.id });
    const gone = await world.trigger({ workflowId: other.id });
    const inner = world.db as unknown as { inTurn: (...given: any[]) => Promise<{ uuid?: string }[]> };
    const inTurn = inner.inTurn.bind(world.db);
    inner.inTurn = async (...given) => {
      const rows = await inTurn(...given);
      if (rows.some(({ uuid }) => uuid === gone.uuid))
        await inTurn('cheap', 'DELETE FROM triggers WHERE id = $1', [gone.uuid]);
      return rows;
    };
    try {
      const found = await world.ask<any>(document(other.id));
      expect((found.of ?? found.workflow.of).items).toEqual([{ id: kept.id, config: {} }]);
    } finally {
      inner.inTurn = inTurn;
    }
  });
});

describe('the scheduler', () => {
  it('reads a few words of each config', async () => {
    const uuids = schedules.map(({ uuid }) => uuid);
    const rows = await world.db.transaction((tx) => claimDue(tx, new Date('2026-11-22T00:00:00Z'), uuids));
    expect(rows).toHaveLength(schedules.length);
    expect(JSON.stringify(rows).length).toBeLessThan(schedules.length * 500);
    expect(rows[0]).toMatchObject({ cron: '29 * * * *', timezone: 'UTC', catchUp: 'last' });
  });

  it('reads as little when a workflow is activated', async () => {
    const sizes: number[] = [];
    await world.db.transaction(async (tx) => {
      const query = async (text: string, values?: readonly unknown[]) => {
        const rows = await tx.query(text, values);
        sizes.push(JSON.stringify(rows).length);
        return rows;
      };
      const observed = Object.assign(Object.create(tx) as Transaction, { query });
      await armSchedules(observed, workflowUuid, new Date('2026-11-21T10:00:00Z'));
    });
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(schedules.length * 500);
  });
});
