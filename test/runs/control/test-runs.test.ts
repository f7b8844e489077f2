import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const TEST = `mutation ($id: ID!, $input: JSON) {
  testWorkflow(workflowId: $id, input: $input) { id status isTest triggerId triggerType input workflow { id status } }
}`;

/** A workflow without triggers. */
async function flow(actions: readonly object[], status = 'draft'): Promise<string> {
  const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Tried out' } });
  await world.client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
  await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status } });
  return body.id;
}

async function tryOut(id: string, input?: unknown, client = world.client): Promise<any> {
  const { body } = await client.graphql(TEST, { id, input });
  return body.errors === undefined ? body.data.testWorkflow : body.errors[0].extensions.code;
}

const numbersOf = async (id: string) => {
  const query = `query ($id: ID!) { workflow(id: $id) { runCount runs { meta { total } } } runStatistics(from: "2026-01-01T00:00:00Z", workflowId: $id) { sum { total } } }`;
  const { body } = await world.client.graphql(query, { id });
  return [body.data.workflow.runCount, body.data.workflow.runs.meta.total, body.data.runStatistics.sum.total];
};

describe('testWorkflow', () => {
  it.each(['draft', 'paused', 'active'])('executes a workflow that is %s, without a trigger', async (status) => {
    const id = await flow(
      [world.call('sent', { body: { n: '{{ trigger.body.n }}', by: '{{ trigger.id }}' } })],
      status,
    );
    const run = await tryOut(id, { n: 7 });
    expect(run).toEqual({
      id: expect.stringMatching(/^run_/),
      status: 'QUEUED',
      isTest: true,
      triggerId: null,
      triggerType: 'MANUAL',
      input: { n: 7 },
      workflow: { id, status: status.toUpperCase() },
    });
    expect(await world.ended(run.id)).toMatchObject({
      status: 'succeeded',
      trigger_id: null,
      steps: [{ name: 'sent' }],
    });
    expect(JSON.parse(world.received.at(-1)!.body)).toEqual({ n: 7, by: null });
  });

  it('makes a run that is listed and not counted', async () => {
    const id = await flow([]);
    const run = await tryOut(id);
    await world.ended(run.id);
    expect(await numbersOf(id)).toEqual([0, 1, 0]);
    const tests = async (isTest: boolean) => {
      const query = 'query ($id: ID!, $isTest: Boolean) { runs(workflowId: $id, isTest: $isTest) { meta { total } } }';
      return (await world.client.graphql(query, { id, isTest })).body.data.runs.meta.total;
    };
    expect([await tests(true), await tests(false)]).toEqual([1, 0]);
  });

  it('has the shape of other runs over REST', async () => {
    const run = await tryOut(await flow([]));
    expect(Object.keys(await world.ended(run.id))).not.toContain('is_test');
  });

  it('makes no webhook event, where any other run makes one', async () => {
    const id = await flow([], 'active');
    const webhook = await world.client.rest('POST', '/webhooks', {
      body: { url: `${world.targetUrl}/told`, events: ['run.succeeded'], workflow_id: id },
    });
    await world.ended((await tryOut(id)).id);
    await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
    const other = (await world.client.rest('POST', `/workflows/${id}/runs`)).body.id;
    await world.ended(other as string);
    const deliveries = await world.client.rest('GET', `/webhooks/${webhook.body.id}/deliveries`);
    expect(deliveries.body.meta.total).toBe(1);
  });

  it('is retried as a test, while the workflow is a draft', async () => {
    const id = await flow([world.call('fails')]);
    world.reply = () => ({ status: 404 });
    const failed = await tryOut(id, 'same');
    expect(await world.ended(failed.id)).toMatchObject({ status: 'failed' });
    world.reply = () => ({ body: null });
    const again = await world.client.graphql('mutation ($id: ID!) { retryRun(id: $id) { id isTest input } }', {
      id: failed.id,
    });
    expect(again.body.data.retryRun).toMatchObject({ isTest: true, input: 'same' });
    expect(await world.ended(again.body.data.retryRun.id as string)).toMatchObject({ status: 'succeeded' });
    expect(await numbersOf(id)).toEqual([0, 2, 0]);
    await world.client.rest('PUT', `/workflows/${id}`, { body: { status: 'archived' } });
    expect(await world.client.rest('POST', `/runs/${failed.id}/retry`)).toMatchObject({ status: 409 });
  });

  it('is refused for an archived workflow, an unstorable input and a read-only key', async () => {
    expect(await tryOut(await flow([], 'archived'))).toBe('CONFLICT');
    const id = await flow([]);
    expect(await tryOut(id, { a: 'x\0' })).toBe('VALIDATION_ERROR');
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    expect(await tryOut(id, null, reader)).toBe('FORBIDDEN');
    expect((await numbersOf(id))[1]).toBe(0);
  });

  it('of a workflow that tests itself stops after five hops', async () => {
    const id = await flow([]);
    const again = world.call('again', {
      url: `${world.server.baseUrl}/graphql`,
      headers: { Authorization: `Bearer ${world.client.key}` },
      body: { query: `mutation { testWorkflow(workflowId: "${id}") { id } }` },
    });
    await world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions: [again] } });
    await tryOut(id);
    const list = async () => (await world.client.rest('GET', `/workflows/${id}/runs`)).body.data;
    let runs = await list();
    while (runs.length < 5 || runs.some((run: { finished_at: unknown }) => run.finished_at === null))
      runs = await list();
    expect(runs).toHaveLength(5);
    const { steps } = await world.run(runs[0].id as string);
    expect(JSON.stringify(steps[0])).toContain('The workflow may not be tested now: loop.');
  });
});
