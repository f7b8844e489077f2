import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

/** An active workflow with a manual trigger. */
async function flow(actions: readonly object[] = []): Promise<{ id: string; trigger: string }> {
  const { id } = await world.workflow(actions);
  return { id, trigger: await attach(id) };
}

async function attach(workflow: string, type = 'manual'): Promise<string> {
  return (await world.client.rest('POST', '/triggers', { body: { workflow_id: workflow, type } })).body.id;
}

const start = (id: string, body?: unknown) => world.client.rest('POST', `/workflows/${id}/runs`, { body });
const countOf = async (id: string) => (await world.client.rest('GET', `/workflows/${id}`)).body.run_count;
const totalOf = async (id: string) => (await world.client.rest('GET', `/workflows/${id}/runs`)).body.meta.total;

describe('POST /v1/workflows/:id/runs', () => {
  it('returns the queued run, which is executed with its input', async () => {
    const { id, trigger } = await flow([
      world.call('sent', { body: { got: '{{ trigger.body.n }}', by: '{{ trigger.type }}' } }),
    ]);
    const { status, body } = await start(id, { input: { n: 7 } });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^run_/),
        workflow_id: id,
        trigger_id: trigger,
        trigger_type: 'manual',
        status: 'queued',
        status_reason: null,
        attempt: 1,
        retry_of: null,
        input: { n: 7 },
        error: null,
        scheduled_for: null,
        created_at: expect.any(String),
        started_at: null,
        finished_at: null,
      },
    ]);
    expect(await world.ended(body.id)).toMatchObject({ status: 'succeeded', steps: [{ name: 'sent' }] });
    expect(JSON.parse(world.received.at(-1)!.body)).toEqual({ got: 7, by: 'manual' });
    expect(await countOf(id)).toBe(1);
  });

  it.each([[undefined], [{}], [{ input: null }]])('treats the input of %j as null', async (body) => {
    const { id } = await flow();
    expect((await start(id, body)).body.input).toBeNull();
  });

  it.each([['a text'], [5], [false], [[1, 'two']]])('takes %j as input', async (input) => {
    const { id } = await flow();
    const { body } = await start(id, { input });
    expect((await world.run(body.id)).input).toEqual(input);
  });

  it('fires the newest active manual trigger', async () => {
    const { id, trigger } = await flow();
    const newer = await attach(id);
    await attach(id, 'webhook');
    expect((await start(id)).body.trigger_id).toBe(newer);
    await world.client.rest('PUT', `/triggers/${newer}`, { body: { status: 'paused' } });
    expect((await start(id)).body.trigger_id).toBe(trigger);
  });

  it('is 409 without an active manual trigger, and keeps no skipped run', async () => {
    const { id, trigger } = await flow();
    await world.client.rest('PUT', `/triggers/${trigger}`, { body: { status: 'paused' } });
    expect(await start(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await world.client.rest('DELETE', `/triggers/${trigger}`);
    expect(await start(id)).toMatchObject({ status: 409 });
    expect([await countOf(id), await totalOf(id)]).toEqual([0, 0]);
  });

  it.each(['draft', 'paused', 'archived'])('is 409 while the workflow is %s', async (status) => {
    const { id } = await flow();
    await world.client.rest('PUT', `/workflows/${id}`, { body: { status } });
    const { status: code, body } = await start(id);
    expect([code, body]).toEqual([409, { code: 'conflict', message: `The workflow is not active: it is ${status}.` }]);
    expect(await totalOf(id)).toBe(0);
  });

  it('refuses a text that cannot be stored, and says where it is', async () => {
    const { id } = await flow();
    expect(await start(id, { input: { a: ['x\0'] } })).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field: 'input.a.0' }] },
    });
  });

  it('runs once for an Idempotency-Key that is sent twice', async () => {
    const { id } = await flow();
    const send = () =>
      world.client.rest('POST', `/workflows/${id}/runs`, { body: {}, headers: { 'idempotency-key': `once-${id}` } });
    const [first, second] = [await send(), await send()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.id).toBe(first.body.id);
    expect(await world.ended(first.body.id)).toMatchObject({ status: 'succeeded' });
    expect(await totalOf(id)).toBe(1);
  });

  it('tells foreign from unknown, and read-only from read-write', async () => {
    const { id } = await flow();
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    const as = async (client: Client, path: string) => (await client.rest('POST', path)).status;
    expect(await as(other, `/workflows/${id}/runs`)).toBe(401);
    expect(await as(reader, `/workflows/${id}/runs`)).toBe(403);
    expect(await as(world.client, '/workflows/wf_01h455vb4pex5vsknk084sn02q/runs')).toBe(404);
  });
});

describe('a workflow that runs itself through the API', () => {
  const headers = () => ({ Authorization: `Bearer ${world.client.key}` });

  it.each([
    ['REST', (id: string) => ({ url: `${world.server.baseUrl}/v1/workflows/${id}/runs`, body: {} })],
    [
      'GraphQL',
      (id: string) => ({
        url: `${world.server.baseUrl}/graphql`,
        body: { query: `mutation { runWorkflow(workflowId: "${id}") { id } }` },
      }),
    ],
  ])('over %s is stopped after five hops', async (_, config) => {
    const { id } = await flow();
    const actions = [world.call('again', { ...config(id), headers: headers() })];
    await world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
    await start(id);
    const list = async () => (await world.client.rest('GET', `/workflows/${id}/runs`)).body;
    await until(async () => {
      const { data } = await list();
      return data.length === 5 && data.every((run: { finished_at: unknown }) => run.finished_at !== null);
    });
    const [last] = (await list()).data;
    const { steps } = await world.run(last.id as string);
    expect(JSON.stringify(steps[0])).toContain('The workflow may not run now: loop.');
  });

  it('and one that retries itself', async () => {
    const { id } = await flow();
    const first = (await start(id)).body;
    await world.ended(first.id as string);
    const actions = [
      world.call('again', { url: `${world.server.baseUrl}/v1/runs/${first.id}/retry`, headers: headers() }),
    ];
    await world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
    await world.client.rest('POST', `/runs/${first.id}/retry`);
    await until(async () => {
      const { data } = (await world.client.rest('GET', `/runs?workflow_id=${id}`)).body;
      return data.length === 6 && data.every((run: { finished_at: unknown }) => run.finished_at !== null);
    });
    const { data } = (await world.client.rest('GET', `/runs?workflow_id=${id}`)).body;
    expect(data[0]).toMatchObject({ status: 'failed', error: { code: 'http_409' } });
  });
});

describe('runWorkflow', () => {
  it('returns the run, with any JSON as input', async () => {
    const { id, trigger } = await flow();
    const run =
      'mutation ($id: ID!, $input: JSON) { runWorkflow(workflowId: $id, input: $input) { status triggerId input } }';
    const { body } = await world.client.graphql(run, { id, input: [1, { a: null }] });
    expect(body.data.runWorkflow).toEqual({ status: 'QUEUED', triggerId: trigger, input: [1, { a: null }] });
    const literal = await world.client.graphql(
      `mutation { runWorkflow(workflowId: "${id}", input: { a: [2] }) { input } }`,
    );
    expect(literal.body.data.runWorkflow.input).toEqual({ a: [2] });
    await world.client.rest('PUT', `/workflows/${id}`, { body: { status: 'paused' } });
    const refused = await world.client.graphql(run, { id });
    expect(refused.body.errors![0].extensions.code).toBe('CONFLICT');
  });
});
