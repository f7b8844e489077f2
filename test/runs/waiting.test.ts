import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gauge } from '../graphql/subscriptions/changes.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { startTestServer } from '../support/server.js';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';

let world: RunWorld;
beforeAll(async () => {
  // A hundred answers are read at once: on a busy machine their statements wait long for a turn.
  world = await RunWorld.open({ patience: 120_000 });
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
});

const wait = (id: string, seconds: number | string, client = world.client) =>
  client.rest('GET', `/runs/${id}?wait=${seconds}`);
const listeners = () => gauge(world.server, 'run_listeners');

/** A run whose only step runs until the target is released. */
async function heldRun(): Promise<{ id: string; letGo: () => void }> {
  const held = Promise.withResolvers<object>();
  world.reply = () => held.promise;
  const id = await world.fire((await world.workflow([world.call('slow')])).hook);
  await until(() => world.received.length === 1);
  return { id, letGo: () => held.resolve({ body: { done: true } }) };
}

describe('GET /v1/runs/:id?wait=', () => {
  it('answers as soon as the run has ended, with its steps', async () => {
    const { id, letGo } = await heldRun();
    const answer = wait(id, 30);
    await until(async () => (await listeners()) === 1);
    letGo();
    const { status, body } = await answer;
    expect([status, body.status, body.steps[0].output.body]).toEqual([200, 'succeeded', { done: true }]);
    expect(await listeners()).toBe(0);
  });

  it('answers in a process without a worker', async () => {
    const { database, clock } = world.server;
    const other = await startTestServer({ database, clock, env: { ROLES: 'api' } });
    const { id, letGo } = await heldRun();
    const answer = wait(id, 30, new Client(other.baseUrl, world.client.key));
    await until(async () => (await gauge(other, 'run_listeners')) === 1);
    letGo();
    expect((await answer).body.status).toBe('succeeded');
    await other.close();
  });

  it('answers when the run is canceled, and with the current state after the timeout', async () => {
    const { hook } = await world.workflow([{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const id = await world.fire(hook);
    expect((await wait(id, 1)).body).toMatchObject({ id, status: 'running', steps: [{ status: 'running' }] });
    const answer = wait(id, 30);
    await until(async () => (await listeners()) === 1);
    await world.client.rest('POST', `/runs/${id}/cancel`);
    expect((await answer).body.status).toBe('canceled');
  });

  it('answers at once when the run has ended', async () => {
    const id = await world.fire((await world.workflow([])).hook);
    await world.ended(id);
    expect((await wait(id, 30)).body.status).toBe('succeeded');
  });

  it.each(['0', '31', '-1', 'x', '1.5', ''])('refuses to wait for "%s" seconds', async (seconds) => {
    const id = await world.fire((await world.workflow([])).hook);
    const { status, body } = await wait(id, seconds);
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_error', 'wait']);
  });

  it('counts against the 100 waiting requests of the key, and is 429 beyond', async () => {
    const { id, letGo } = await heldRun();
    const waits = Array.from({ length: 100 }, () => wait(id, 30));
    await until(async () => (await listeners()) === 100);
    const refused = await wait(id, 30);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    const { body } = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    expect((await world.client.rest('GET', `/integrations/${body.integration_id}?wait=5`)).status).toBe(429);
    letGo();
    for (const { body } of await Promise.all(waits)) expect(body).toMatchObject({ status: 'succeeded' });
  });
});

describe('run(wait)', () => {
  it('answers as soon as the run has ended', async () => {
    const { id, letGo } = await heldRun();
    const answer = world.client.graphql(`{ run(id: "${id}", wait: 30) { status } }`);
    await until(async () => (await listeners()) === 1);
    letGo();
    expect((await answer).body.data.run.status).toBe('SUCCEEDED');
    const refused = await world.client.graphql(`{ run(id: "${id}", wait: 31) { status } }`);
    expect(refused.body.errors![0].extensions.code).toBe('VALIDATION_ERROR');
  });
});
