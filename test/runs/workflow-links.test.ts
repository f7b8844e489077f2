import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { RunWorld } from '../support/worlds/run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => world.close());

const ask = async (query: string, variables: Record<string, unknown> = {}): Promise<any> =>
  (await world.client.graphql(query, variables)).body.data;

describe('Workflow.lastRun', () => {
  it('is the newest run of each workflow, and null without runs', async () => {
    const [first, second, idle] = [await world.workflow([]), await world.workflow([]), await world.workflow([])];
    await world.fire(first.hook, 1);
    const [newest, other] = [await world.fire(first.hook, 2), await world.fire(second.hook, 3)];
    const { workflows } = await ask('{ workflows { items { id lastRun { id input status } } } }');
    expect(workflows.items.slice(0, 3)).toEqual([
      { id: idle.id, lastRun: null },
      { id: second.id, lastRun: { id: other, input: 3, status: 'QUEUED' } },
      { id: first.id, lastRun: { id: newest, input: 2, status: 'QUEUED' } },
    ]);
  });
});

describe('Run.workflow', () => {
  it('is the workflow, and null once it is deleted', async () => {
    const { id, hook } = await world.workflow([]);
    const run = await world.fire(hook);
    const query = 'query ($id: ID!) { run(id: $id) { workflowId workflow { id name } } }';
    expect((await ask(query, { id: run })).run).toEqual({ workflowId: id, workflow: { id, name: 'Flow' } });
    await world.client.rest('DELETE', `/workflows/${id}`);
    expect((await ask(query, { id: run })).run).toEqual({ workflowId: id, workflow: null });
  });
});

describe('Run.actions', () => {
  it('are those that the workflow had when it fired, and null if no key decrypts them', async () => {
    const { id, hook } = await world.workflow([world.call('first'), world.call('second')]);
    const run = await world.fire(hook);
    await world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions: [world.call('new')] } });
    const query = 'query ($id: ID!) { run(id: $id) { actions { name kind config } } }';
    const { actions } = (await ask(query, { id: run })).run;
    expect(actions.map(({ name }: { name: string }) => name)).toEqual(['first', 'second']);
    expect(actions[0]).toEqual({ ...world.call('first'), kind: 'HTTP_REQUEST' });
    const bare = await world.fire((await world.workflow([])).hook);
    expect((await ask(query, { id: bare })).run).toEqual({ actions: [] });
    await world.server.db.query(`UPDATE action_lists SET body = 'x' WHERE workflow_id = $1`, [fromPublicId('wf', id)]);
    expect((await ask(query, { id: run })).run).toEqual({ actions: null });
  });
});
