import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { pathOf, waiting } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const PAID = { name: 'paid', kind: 'wait_for_callback', config: {} };
const ASK = { name: 'ask', kind: 'wait_for_approval', config: { title: 'Ship it' } };
const USER = { name: 'user', kind: 'wait_for_connection', config: { type: 'sandbox_oauth', reference: 'ada' } };

/** A run that has an answered callback and waits for its second step. */
async function run(second: object): Promise<{ workflow: string; run: string; paid: any; second: any }> {
  const { id, hook } = await world.workflow([PAID, second]);
  const fired = await world.fire(hook);
  const [paid] = await waiting(world, fired);
  await world.client.send('POST', pathOf(paid.url), { body: '1' });
  let found: any[] = [];
  while (found.length === 0)
    found = (await waiting(world, fired)).filter((wait: { id: string }) => wait.id !== paid.id);
  return { workflow: id, run: fired, paid, second: found[0] };
}

const PAGE = `{ items { id kind status step title } meta { total page perPage } }`;
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('lists of waits', () => {
  it('have those of one kind, and of one run or workflow', async () => {
    const [one, two] = [await run(ASK), await run(USER)];
    for (const [kind, waits] of [
      ['callback', [two.paid, one.paid]],
      ['approval', [one.second]],
      ['connection', [two.second]],
      ['run', []],
    ] as const) {
      const { body } = await world.client.rest('GET', `/waits?kind=${kind}`);
      expect([idsOf(body.data), body.meta.total]).toEqual([idsOf(waits), waits.length]);
      const graphql = await world.client.graphql(`{ waits(kind: ${kind.toUpperCase()}) ${PAGE} }`);
      expect(idsOf(graphql.body.data.waits.items)).toEqual(idsOf(waits));
    }
    expect((await world.client.rest('GET', '/waits?kind=callback&status=pending')).body.data).toEqual([]);
    expect((await world.client.rest('GET', '/waits?kind=other')).status).toBe(400);

    const query = `query ($run: ID!, $workflow: ID!) {
      run(id: $run) { waits { latestChange items { id kind status step title } meta { total page perPage } } }
      workflow(id: $workflow) { waits(page: 2, perPage: 1) ${PAGE} pending: waits(status: PENDING) ${PAGE} } }`;
    const { data } = (await world.client.graphql(query, { run: one.run, workflow: one.workflow })).body;
    const paid = { id: one.paid.id, kind: 'CALLBACK', status: 'ANSWERED', step: 'paid', title: null };
    const ask = { id: one.second.id, kind: 'APPROVAL', status: 'PENDING', step: 'ask', title: 'Ship it' };
    const latestChange = expect.stringMatching(/^wch_/);
    expect(data.run.waits).toEqual({ latestChange, items: [ask, paid], meta: { total: 2, page: 1, perPage: 20 } });
    expect(data.workflow.waits).toEqual({ items: [paid], meta: { total: 2, page: 2, perPage: 1 } });
    expect(data.workflow.pending).toEqual({ items: [ask], meta: { total: 1, page: 1, perPage: 20 } });
  });
});
