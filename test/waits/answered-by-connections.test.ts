import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aFewAtATime } from '../support/a-few-at-a-time.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { awaitConnection, connectKey, connectOAuth, decideAtSandbox, openConnectionWorld } from './connection-world.js';
import { waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
let hook: string;
let workflow: string;
beforeAll(async () => {
  world = await openConnectionWorld();
  const made = await world.workflow([awaitConnection({ type: '{{ trigger.body.type }}' })]);
  ({ hook, id: workflow } = made);
});
afterAll(() => world.close());

const fire = async (type: string, user: string): Promise<string> => {
  const run = await world.fire(hook, { type, user });
  await waiting(world, run);
  return run;
};
const answerOf = async (run: string) => {
  const ended = await world.ended(run);
  return [ended.status, ended.steps[0].output];
};

describe('a run that waits for a connection goes on', () => {
  it('at once, if the connection is there', async () => {
    const id = await connectKey(world.client, { reference: 'early' });
    const run = await world.fire(hook, { type: 'sandbox_api_key', user: 'early' });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
    expect(await waitsOf(world, run)).toEqual([]);
  });

  it('with the callback of an OAuth flow', async () => {
    const run = await fire('sandbox_oauth', 'oauth');
    const id = await connectOAuth(world.client, 'oauth');
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
    expect(await waitsOf(world, run)).toMatchObject([
      { status: 'answered', answer: { integration_id: id }, answered_by: null },
    ]);
  });

  it('with an API key', async () => {
    const run = await fire('sandbox_api_key', 'key');
    const id = await connectKey(world.client, { reference: 'key' });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });

  it('with a connect session', async () => {
    const run = await fire('sandbox_api_key', 'session');
    const session = { type: 'sandbox_api_key', reference: 'session' };
    const { token } = (await world.client.rest('POST', '/connect_sessions', { body: session })).body;
    const id = await connectKey(new Client(world.server.baseUrl, token), {});
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });

  it('when a connection gets its reference', async () => {
    const run = await fire('sandbox_api_key', 'named later');
    const id = await connectKey(world.client, {});
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    await world.client.rest('PUT', `/integrations/${id}`, { body: { reference: 'named later' } });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });

  it('when what the end user had is connected again', async () => {
    const id = await connectKey(world.client, { reference: 'again' });
    await world.client.rest('POST', `/integrations/${id}/disconnect`);
    const run = await fire('sandbox_api_key', 'again');
    const body = { credentials: { api_key: 'sandbox_valid_key' } };
    await world.client.rest('POST', `/integrations/${id}/reconnect`, { body });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });

  it('with 600 others that wait for the same, although a transaction takes 500', async () => {
    const runs = await aFewAtATime(Array.from({ length: 600 }), () => world.fire(hook, { type: 'shop', user: 'many' }));
    const count = async (status: string) => {
      const list = await world.client.rest('GET', `/waits?status=${status}&reference=many&per_page=1`);
      return list.body.meta.total as number;
    };
    await until(async () => (await count('pending')) === runs.length);
    const id = await connectKey(world.client, { type: 'shop', key: 'key_of_many_runs', reference: 'many' });
    expect(await count('pending')).toBeLessThanOrEqual(100);
    await until(async () => (await count('answered')) === runs.length);
    const list = async (page: number) =>
      (await world.client.rest('GET', `/runs?workflow_id=${workflow}&status=waiting&per_page=1&page=${page}`)).body;
    await until(async () => (await list(1)).meta.total === 0);
    expect(await answerOf(runs[0]!)).toEqual(['succeeded', { integration_id: id }]);
    expect(await answerOf(runs.at(-1)!)).toEqual(['succeeded', { integration_id: id }]);
    expect(await world.server.db.query('SELECT 1 FROM connection_answers')).toEqual([]);
  });
});

describe('a run that waits for a connection stays', () => {
  it('where the rest of many is answered after the connection has got another reference', async () => {
    const run = await fire('sandbox_api_key', 'left');
    const id = await connectKey(world.client, { reference: 'someone else by now' });
    // As the transaction that answered the first 500 has left it.
    await world.server.db.query(
      `INSERT INTO connection_answers (id, account_id, integration_id, integration_type, reference)
       SELECT gen_random_uuid(), account_id, $2, integration_type, reference FROM waits WHERE run_id = $1`,
      [fromPublicId('run', run), fromPublicId('int', id)],
    );
    await until(async () => (await world.server.db.query('SELECT 1 FROM connection_answers')).length === 0);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    const own = await connectKey(world.client, { reference: 'left' });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: own }]);
  });

  it.each([
    ['of another reference', { reference: 'someone else' }],
    ['of another type', { type: 'shop', key: 'key_of_other_type', reference: 'picky' }],
    ['without a reference', {}],
  ])('where a connection %s is made', async (_name, connection) => {
    const run = await fire('sandbox_api_key', 'picky');
    await connectKey(world.client, connection);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    await world.client.rest('POST', `/runs/${run}/cancel`);
  });

  it('where another account makes one', async () => {
    const run = await fire('sandbox_api_key', 'shared name');
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    await connectKey(other, { reference: 'shared name' });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    const id = await connectKey(world.client, { reference: 'shared name' });
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });

  it('where the flow is denied, and goes on with the next one', async () => {
    const run = await fire('sandbox_oauth', 'shy');
    await connectOAuth(world.client, 'shy', { decision: 'deny' });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    expect(await world.run(run)).toMatchObject({ status: 'waiting' });
    const id = await connectOAuth(world.client, 'shy');
    expect(await answerOf(run)).toEqual(['succeeded', { integration_id: id }]);
  });
});

describe('a wait for a connection ends', () => {
  it('with its run', async () => {
    const run = await fire('sandbox_oauth', 'canceled');
    await world.client.rest('POST', `/runs/${run}/cancel`);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'canceled', answer: null, connect_url: null }]);
    await connectOAuth(world.client, 'canceled');
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'canceled' }]);
    expect(await world.run(run)).toMatchObject({ status: 'canceled' });
  });

  it('with its time, also between the start and the end of a flow', async () => {
    const short = await world.workflow([awaitConnection({ timeout_seconds: 60 })]);
    const run = await world.fire(short.hook, { user: 'slow' });
    await waiting(world, run);
    const body = { type: 'sandbox_oauth', reference: 'slow' };
    const started = await world.client.rest('POST', '/integrations/connect', { body });
    const callback = await decideAtSandbox(started.body.redirect_url);
    await world.server.advance(59_000);
    await world.server.advance(2_000);
    expect(await world.ended(run)).toMatchObject({ status: 'failed', error: { code: 'wait_expired' } });
    await fetch(callback, { redirect: 'manual' });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'expired', answer: null }]);
    expect(await world.run(run)).toMatchObject({ status: 'failed' });
  });
});
