import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

/** Posts and waits for the run's end. */
async function fired(hook: string, headers: Record<string, string> = {}): Promise<any> {
  const { status, body } = await world.client.send('POST', hook, { body: { n: 1 }, headers });
  expect(status).toBe(202);
  return world.ended(body.run_id);
}

const SENT = { 'X-GitHub-Event': 'push', 'x-note': 'é "quoted"' };

describe('the request to an inbound hook', () => {
  it('is read by placeholders, whatever the case of a name, and shown by the run', async () => {
    const body = {
      event: '{{ trigger.headers.X-GitHub-Event }}',
      all: '{{ trigger.query }}',
      tags: '{{ trigger.query.tag.1 }}',
      line: 'page {{ trigger.query.page }}',
    };
    const { hook } = await world.workflow([world.call('sent', { body })]);
    const run = await fired(`${hook}?page=2&tag=a&tag=b%20c&__proto__=x&empty`, SENT);
    const query = JSON.parse('{"page":"2","tag":["a","b c"],"__proto__":"x","empty":""}') as object;
    expect(run).toMatchObject({ status: 'succeeded', trigger_headers: { 'x-github-event': 'push' } });
    expect(JSON.stringify(run.trigger_query)).toBe(JSON.stringify(query));
    expect(run.trigger_headers).toMatchObject({ 'x-note': SENT['x-note'], 'content-type': 'application/json' });
    expect(JSON.parse(world.received.at(-1)!.body)).toEqual({ event: 'push', all: query, tags: 'b c', line: 'page 2' });
  });

  it('is read by conditions', async () => {
    const config = { path: 'trigger.headers.x-github-event', operator: 'equals', value: 'push' };
    const { hook } = await world.workflow([{ name: 'pushed', kind: 'condition', config }, world.call('next')]);
    const steps = async (event: string) => {
      const run = await fired(hook, { 'x-github-event': event });
      return run.steps.map(({ name, output }: any) => [name, output.holds]);
    };
    expect(await steps('ping')).toEqual([['pushed', false]]);
    expect(await steps('push')).toEqual([
      ['pushed', true],
      ['next', undefined],
    ]);
  });

  it('is read from the database where it is large', async () => {
    const { hook } = await world.workflow([
      world.call('sent', { body: { h: '{{ trigger.headers.x-large }}', q: '{{ trigger.query.q }}' } }),
    ]);
    const [large, q] = ['h'.repeat(6_000), 'q'.repeat(5_000)];
    expect(await fired(`${hook}?q=${q}`, { 'x-large': large })).toMatchObject({ status: 'succeeded' });
    expect(JSON.parse(world.received.at(-1)!.body)).toEqual({ h: large, q });
  });

  it('is shown without credentials, headers of the connection and the signature', async () => {
    const { id } = await world.workflow([]);
    const secret = 'hook-signing-secret';
    const config = { secret, signature_header: 'X-Signed' };
    const { body: trigger } = await world.client.rest('POST', '/triggers', {
      body: { workflow_id: id, type: 'webhook', config },
    });
    const signed = `sha256=${createHmac('sha256', secret).update('{"n":1}').digest('hex')}`;
    const run = await fired(new URL(trigger.webhook_url).pathname, {
      'x-signed': signed,
      'x-signature-256': 'kept: not the header of this trigger',
      cookie: 'a=b',
      'proxy-authorization': 'Basic eA==',
      'x-kept': 'yes',
    });
    const { host, 'x-kept': kept, 'x-signature-256': other } = run.trigger_headers;
    expect({ host, kept, other }).toEqual({
      host: expect.any(String),
      kept: 'yes',
      other: expect.stringContaining('kept'),
    });
    const names = Object.keys(run.trigger_headers);
    const hidden = ['authorization', 'cookie', 'proxy-authorization', 'connection', 'keep-alive', 'x-signed'];
    expect(names.filter((name) => hidden.includes(name))).toEqual([]);
    expect(run.trigger_query).toEqual({});
  });

  it('is kept up to 64 headers', async () => {
    const { hook } = await world.workflow([]);
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x-${n}`, String(n)]));
    expect(Object.keys((await fired(hook, many)).trigger_headers)).toHaveLength(64);
  });

  it('is null for a run that no post fired, and a placeholder then fails its step', async () => {
    const { id } = await world.workflow([world.call('sent', { body: '{{ trigger.headers.x-note }}' })]);
    await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
    const { body } = await world.client.rest('POST', `/workflows/${id}/runs`, { body: {} });
    expect(await world.ended(body.id)).toMatchObject({
      trigger_headers: null,
      trigger_query: null,
      error: { code: 'missing_path', message: 'There is no trigger.headers.x-note.' },
    });
  });

  it('is kept by retries, and shown over GraphQL with the rendered input of a step', async () => {
    const { hook } = await world.workflow([world.call('sent', { body: '{{ trigger.headers.x-note }}' })]);
    const first = await fired(`${hook}?page=3`, SENT);
    const retried = await world.client.rest('POST', `/runs/${first.id}/retry`, { body: { from: 'start' } });
    const again = await world.ended(retried.body.id);
    const { trigger_headers, trigger_query } = first;
    expect(again).toMatchObject({ status: 'succeeded', trigger_headers, trigger_query });
    const { body } = await world.client.graphql(
      `query ($id: ID!) { run(id: $id) { triggerHeaders triggerQuery steps { input } } }`,
      { id: again.id },
    );
    expect(body.data.run).toMatchObject({ triggerHeaders: trigger_headers, triggerQuery: { page: '3' } });
    expect(body.data.run.steps[0].input.body).toBe(SENT['x-note']);
    const list = await world.client.graphql(`{ runs(perPage: 2) { items { id triggerQuery } } }`);
    expect(list.body.data.runs.items[0]).toEqual({ id: again.id, triggerQuery: { page: '3' } });
  });
});

const TEST = `mutation ($id: ID!, $headers: JSON, $query: JSON) {
  testWorkflow(workflowId: $id, triggerHeaders: $headers, triggerQuery: $query) { id triggerHeaders triggerQuery }
}`;

describe('a test run', () => {
  it('takes the request of a trigger, and a retry of it keeps that', async () => {
    const { id } = await world.workflow([
      world.call('sent', { body: '{{ trigger.headers.x-note }} {{ trigger.query.p }}' }),
    ]);
    const { body } = await world.client.graphql(TEST, { id, headers: { 'X-Note': 'tried' }, query: { p: 'q' } });
    const request = { triggerHeaders: { 'x-note': 'tried' }, triggerQuery: { p: 'q' } };
    expect(body.data.testWorkflow).toMatchObject(request);
    await world.ended(body.data.testWorkflow.id);
    const retried = await world.client.rest('POST', `/runs/${body.data.testWorkflow.id}/retry`);
    expect(await world.ended(retried.body.id)).toMatchObject({ trigger_headers: { 'x-note': 'tried' } });
    expect(world.received.at(-1)!.body).toContain('tried q');
  });

  it.each([
    [{ headers: 'x' }, 'triggerHeaders', 'must be an object'],
    [{ headers: { a: 1 } }, 'triggerHeaders', 'must have texts as values'],
    [{ headers: { a: 'x'.repeat(16_384) } }, 'triggerHeaders', 'must have at most 16,384 bytes'],
    [{ query: { a: [1] } }, 'triggerQuery', 'must have texts or lists of texts as values'],
    [{ query: [] }, 'triggerQuery', 'must be an object'],
  ])('refuses %j', async (given, field, message) => {
    const { id } = await world.workflow([]);
    const { body } = await world.client.graphql(TEST, { id, ...given });
    expect(body.errors![0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field, message }] });
  });
});
