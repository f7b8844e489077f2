import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { type Workflow } from '../../src/features/workflows/workflow.entity.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

interface Linked {
  workflows: { items: { id: string; a: LinkedPage; b: LinkedPage }[] };
}
interface LinkedPage {
  items: { id: string }[];
  meta: { total: number; page: number; perPage: number };
}

const PAGES = `fragment P on TriggerPage { items { id } meta { total page perPage } }
               fragment R on RunPage { items { id steps { name } } meta { total page perPage } }`;

let world: TriggerWorld;
let workflows: Workflow[];
const triggers = new Map<string, Trigger[]>();
beforeAll(async () => {
  world = await TriggerWorld.open();
  workflows = [];
  for (let size = 0; size < 6; size += 1) {
    const workflow = await world.workflow();
    const own: Trigger[] = [];
    for (let index = 0; index < size; index += 1)
      own.unshift(await world.trigger({ workflowId: workflow.id, type: 'manual' }));
    for (const trigger of own) await world.run(trigger, { status: size % 2 === 0 ? 'failed' : 'queued' });
    workflows.unshift(workflow);
    triggers.set(workflow.id, own);
  }
});
afterAll(() => world.close());

async function counted<T>(
  document: string,
  variables: Record<string, unknown>,
): Promise<{ data: T; statements: number }> {
  const before = world.db.statements;
  const data = await world.ask<T>(document, variables);
  return { data, statements: world.db.statements - before };
}

describe('Workflow.triggers', () => {
  const document = `query ($size: Int!) { workflows(perPage: $size) { items {
    id a: triggers(perPage: 2) { ...P } b: triggers(page: 2, perPage: 3) { ...P } } } }
    ${PAGES.split('\n')[0]}`;

  it('gives each workflow its own page and total, for each alias', async () => {
    const { data } = await counted<Linked>(document, { size: 6 });
    expect(data.workflows.items.map(({ id }) => id)).toEqual(workflows.map(({ id }) => id));
    for (const { id, a, b } of data.workflows.items) {
      const own = triggers.get(id)!.map((trigger) => ({ id: trigger.id }));
      expect(a).toEqual({ items: own.slice(0, 2), meta: { total: own.length, page: 1, perPage: 2 } });
      expect(b).toEqual({ items: own.slice(3, 6), meta: { total: own.length, page: 2, perPage: 3 } });
    }
  });

  it('costs one statement, whatever the number of workflows', async () => {
    const one = await counted(document, { size: 1 });
    const six = await counted(document, { size: 6 });
    expect(one.statements).toBe(2);
    expect(six.statements).toBe(one.statements);
  });
});

describe('Workflow.runs', () => {
  it('gives each workflow its own page, by status, and costs one statement, its steps another', async () => {
    const document = `query ($size: Int!) { workflows(perPage: $size) { items {
      id a: runs { ...R } b: runs(status: FAILED, perPage: 1) { ...R } } } } ${PAGES.split('\n')[1]}`;
    const { data, statements } = await counted<Linked>(document, { size: 6 });
    for (const { id, a, b } of data.workflows.items) {
      const size = triggers.get(id)!.length;
      expect(a).toMatchObject({ meta: { total: size, page: 1, perPage: 20 } });
      expect(a.items).toHaveLength(size);
      expect(b.meta).toEqual({ total: size % 2 === 0 ? size : 0, page: 1, perPage: 1 });
      expect(b.items).toEqual(size % 2 === 0 ? a.items.slice(0, 1) : []);
    }
    expect(statements).toBe(3);
    expect((await counted(document, { size: 2 })).statements).toBe(statements);
  });
});

describe('Trigger.workflow', () => {
  it('costs one statement, whatever the number of triggers', async () => {
    const document = `query ($size: Int!) { triggers(perPage: $size) { items { workflowId workflow { id name } } } }`;
    const two = await counted(document, { size: 2 });
    const all = await counted<{ triggers: { items: { workflowId: string; workflow: { id: string } }[] } }>(document, {
      size: 100,
    });
    expect(all.data.triggers.items).toHaveLength(15);
    for (const { workflowId, workflow } of all.data.triggers.items) expect(workflow.id).toBe(workflowId);
    expect(all.statements).toBe(2);
    expect(two.statements).toBe(2);
  });
});

describe('Trigger.lastRun', () => {
  it('is the newest run, and costs one statement, whatever the number of triggers', async () => {
    const [workflow] = workflows;
    const own = triggers.get(workflow!.id)!;
    const newest = await world.run(own[0]!, { status: 'failed' });
    const fresh = await world.trigger({ workflowId: workflow!.id, type: 'manual' });
    const document = `query ($size: Int!) { triggers(perPage: $size) { items { id lastRun { id status } } } }`;
    const two = await counted(document, { size: 2 });
    const all = await counted<{
      triggers: { items: { id: string; lastRun: { id: string; status: string } | null }[] };
    }>(document, { size: 100 });
    expect(all.statements).toBe(2);
    expect(two.statements).toBe(2);
    const { items } = all.data.triggers;
    expect(items[0]).toEqual({ id: fresh.id, lastRun: null });
    expect(items.find(({ id }) => id === own[0]!.id)!.lastRun).toEqual({
      id: toPublicId('run', newest),
      status: 'FAILED',
    });
    expect(items.filter(({ lastRun }) => lastRun === null)).toHaveLength(1);
  });
});
