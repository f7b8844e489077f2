import { ENDING_MUTATIONS, NEEDED_MUTATIONS } from '../../src/platform/graphql/needed-mutations.js';
import { type Client } from '../support/http/client.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { StillClock } from '../support/clock.js';
import { pathOf, waiting } from '../waits/wait-world.js';
import { fill, StorageWorld, workflowOf } from './storage-world.js';

const CALLBACK = { name: 'paid', kind: 'wait_for_callback', config: {} };

/** An account with everything that the requests of these tests name. */
async function furnished(world: RunWorld, client: Client) {
  const { id: workflow, hook } = await workflowOf(client);
  await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
  const trigger = (await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } })).body.id;
  const fire = async (path: string): Promise<string> => (await client.send('POST', path, { body: '{}' })).body.run_id;
  const waits = await workflowOf(client, [CALLBACK]);
  const waitOf = async () => (await waiting(world, await fire(waits.hook)))[0];
  const run = await fire(hook);
  await world.ended(run);
  const credentials = { api_key: 'sandbox_valid_key' };
  const { body } = await client.rest('POST', '/integrations/connect', {
    body: { type: 'sandbox_api_key', credentials },
  });
  return { workflow, hook, trigger, run, wait: await waitOf(), posted: await waitOf(), integration: body.id as string };
}

describe('an account that has stored as much as it may', () => {
  let world: StorageWorld;
  let own: Awaited<ReturnType<typeof furnished>>;
  let others: { id: string; hook: string };

  beforeAll(async () => {
    world = await StorageWorld.open();
    own = await furnished(world.runs, world.client);
    others = await workflowOf(world.other);
    await fill(world.client, own.hook);
  });
  afterAll(() => world.close());

  const rest = (method: string, path: string, body?: object) =>
    world.client.rest(method, path, body === undefined ? {} : { body });

  it('gets 429 for a post to its hook, with the time and the setting', async () => {
    const { status, headers, body } = await world.client.send('POST', own.hook, { body: '{}' });
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(body.message).toMatch(/stored the 1 MB that it may store in a day.* Try again in \d+ s.*STORED_LIMIT_MB/);
    expect(body.message).toContain(`in ${headers.get('retry-after')} s`);
  });

  it.each([
    ['a workflow', () => rest('POST', '/workflows', { name: 'x' })],
    ['actions', () => rest('PUT', `/workflows/${own.workflow}/actions`, { actions: [] })],
    ['a trigger', () => rest('POST', '/triggers', { workflow_id: own.workflow, type: 'webhook' })],
    ['a manual run', () => rest('POST', `/workflows/${own.workflow}/runs`, { input: 1 })],
    ['a retry', () => rest('POST', `/runs/${own.run}/retry`)],
    ['a bulk retry', () => rest('POST', '/runs/retry', { workflow_id: own.workflow })],
    ['a name', () => rest('PUT', `/workflows/${own.workflow}`, { name: 'x', status: 'active' })],
    ['a description', () => rest('PUT', `/workflows/${own.workflow}`, { description: 'x' })],
  ])('gets 429 for %s', async (_, ask) => {
    const { status, headers, body } = await ask();
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true]);
  });

  it.each([
    ['createWorkflow', 'mutation { createWorkflow(input: { name: "x" }) { id } }'],
    ['testWorkflow', 'mutation ($id: ID!) { testWorkflow(workflowId: $id) { id } }'],
    ['runWorkflow', 'mutation ($id: ID!) { runWorkflow(workflowId: $id) { id } }'],
    [
      'one beside a deletion',
      'mutation ($id: ID!) { deleteTrigger(id: $id) createWorkflow(input: { name: "x" }) { id } }',
    ],
  ])('gets 429 over GraphQL for %s', async (_, query) => {
    const { status, headers, body } = await world.client.graphql(query, { id: own.workflow });
    expect([status, body.errors![0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('gets an error over GraphQL for a name, beside a status that it may set', async () => {
    const query = `mutation ($id: ID!) {
      status: updateWorkflow(id: $id, input: { status: ACTIVE }) { status }
      name: updateWorkflow(id: $id, input: { name: "x", status: ACTIVE }) { id }
    }`;
    const { body } = await world.client.graphql(query, { id: own.workflow });
    expect(body.errors!.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['name'], 'RATE_LIMITED']]);
  });

  it('may still read, answer, connect, call, cancel, pause and delete', async () => {
    const answers = [
      await rest('GET', '/workflows'),
      await rest('POST', `/waits/${own.wait.id}/answer`, { body: 1 }),
      await world.client.send('POST', pathOf(own.posted.url), { body: '{"amount":7}' }),
      await rest('POST', '/integrations/connect', { type: 'sandbox_oauth' }),
      await rest('POST', `/integrations/${own.integration}/call`, { path: '/api/contacts' }),
      await rest('POST', '/runs/cancel', { workflow_id: own.workflow }),
      await rest('PUT', `/workflows/${own.workflow}`, { status: 'active' }),
      await rest('DELETE', `/triggers/${own.trigger}`),
      await world.client.graphql('mutation ($id: ID!) { deleteIntegration(id: $id) }', { id: own.integration }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 202, 200, 204, 200]);
    expect(answers.at(-1)!.body.errors).toBeUndefined();
    // Nothing is left to execute behind their waits.
    for (const { run_id: run } of [own.wait, own.posted])
      expect(await world.runs.ended(run)).toMatchObject({ status: 'succeeded' });
  });

  it('takes nothing from another account', async () => {
    expect((await world.other.send('POST', others.hook, { body: '{}' })).status).toBe(202);
    expect((await world.other.rest('POST', '/workflows', { body: { name: 'x' } })).status).toBe(201);
    expect((await world.other.rest('DELETE', `/workflows/${others.id}`)).status).toBe(204);
  });

  it('may store again at the time that it is given, and not a second earlier', async () => {
    const post = () => world.client.send('POST', own.hook, { body: '{}' });
    const seconds = Number((await post()).headers.get('retry-after'));
    await world.runs.server.advance((seconds - 1) * 1_000);
    expect([(await post()).status, (await post()).headers.get('retry-after')]).toEqual([429, '1']);
    await world.runs.server.advance(1_000);
    expect((await post()).status).toBe(202);
    expect((await post()).status).toBe(429);
  });

  it('may call mutations that there are', async () => {
    const query = '{ __schema { mutationType { fields { name } } } }';
    const { body } = await world.other.graphql(query);
    const names = body.data.__schema.mutationType.fields.map(({ name }: { name: string }) => name);
    expect([...names, '__typename']).toEqual(expect.arrayContaining([...ENDING_MUTATIONS, ...NEEDED_MUTATIONS]));
  });
});

describe('an account that has stored twice as much as it may', () => {
  it('may only read, end and delete', async () => {
    const world = await StorageWorld.open();
    try {
      const { client, runs } = world;
      const own = await furnished(runs, client);
      await fill(client, own.hook);
      const status = 'mutation ($id: ID!) { updateWorkflow(id: $id, input: { status: ACTIVE }) { id } }';
      const padded = () => client.graphql(status, { id: own.workflow, unused: 'x'.repeat(100_000) });
      for (let requests = 0; requests < 11; requests += 1) expect((await padded()).status).toBe(200);
      const credentials = { api_key: 'sandbox_valid_key' };
      const refused = [
        await padded(),
        await client.rest('PUT', `/workflows/${own.workflow}`, { body: { status: 'paused' } }),
        await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } }),
        await client.rest('POST', `/integrations/${own.integration}/call`, { body: { path: '/api/contacts' } }),
        await client.rest('POST', '/runs/cancel', { body: { workflow_id: own.workflow } }),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([429, 429, 429, 429, 429]);
      const taken = [
        await client.rest('GET', '/workflows'),
        await client.rest('POST', `/runs/${own.wait.run_id}/cancel`),
        await client.rest('POST', `/integrations/${own.integration}/disconnect`),
        await client.rest('DELETE', `/triggers/${own.trigger}`),
        await client.rest('DELETE', `/workflows/${own.workflow}`),
      ];
      expect(taken.map((answer) => answer.status)).toEqual([200, 200, 200, 204, 204]);
    } finally {
      await world.close();
    }
  });
});

describe('the only account', () => {
  it('is never refused, until there is another one', async () => {
    const world = await RunWorld.open({ clock: new StillClock(), env: { STORED_LIMIT_MB: '1' } });
    try {
      const { hook } = await workflowOf(world.client, [world.call('go')]);
      await fill(world.client, hook);
      await fill(world.client, hook);
      expect(await world.ended(await world.fire(hook))).toMatchObject({ status: 'succeeded' });
      expect((await world.client.rest('POST', '/workflows', { body: { name: 'x' } })).status).toBe(201);
      await world.server.key('read-write', 'another');
      await world.server.advance(60_000);
      expect((await world.client.send('POST', hook, { body: '{}' })).status).toBe(429);
    } finally {
      await world.close();
    }
  });
});
