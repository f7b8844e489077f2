import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import {
  appRequest,
  awaitConnection,
  connectKey,
  connectOAuth,
  keyOf,
  openConnectionWorld,
} from './connection-world.js';
import { waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await openConnectionWorld();
});
afterAll(() => world.close());

const shop = { type: 'shop', reference: '{{ trigger.body.user }}' };
const called = (run: string) => world.received.find(({ headers }) => headers['idempotency-key'] === `${run}-0`);

/** Saves one action. @returns the status and the errors. */
async function save(action: object): Promise<{ status: number; details: object[] }> {
  const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Flow' } });
  const saved = await world.client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions: [action] } });
  return { status: saved.status, details: saved.body.details };
}

describe('an app_request by reference', () => {
  it('uses the connection that connected last', async () => {
    const old = await connectKey(world.client, { type: 'shop', key: 'key_of_the_old_one', reference: 'ada' });
    const { hook } = await world.workflow([appRequest({ connection: shop, method: 'POST', body: { a: 1 } })]);
    const first = await world.fire(hook, { user: 'ada' });
    expect((await world.ended(first)).status).toBe('succeeded');
    expect(keyOf(called(first)!)).toBe('key_of_the_old_one');
    await connectKey(world.client, { type: 'shop', key: 'key_of_the_new_one', reference: 'ada' });
    const second = await world.fire(hook, { user: 'ada' });
    await world.ended(second);
    expect(keyOf(called(second)!)).toBe('key_of_the_new_one');
    await world.client.rest('POST', `/integrations/${old}/reconnect`, {
      body: { credentials: { api_key: 'key_of_the_old_one' } },
    });
    const third = await world.fire(hook, { user: 'ada' });
    await world.ended(third);
    expect(keyOf(called(third)!)).toBe('key_of_the_old_one');
  });

  it('takes a number as a reference', async () => {
    await connectKey(world.client, { type: 'shop', key: 'key_of_number_7', reference: '7' });
    const { hook } = await world.workflow([appRequest({ connection: shop })]);
    const run = await world.fire(hook, { user: 7 });
    expect((await world.ended(run)).status).toBe('succeeded');
    expect(keyOf(called(run)!)).toBe('key_of_number_7');
  });

  it('fails without a connection, unless it may wait', async () => {
    const { hook } = await world.workflow([appRequest({ connection: shop })]);
    const run = await world.fire(hook, { user: 'nobody' });
    expect(await world.ended(run)).toMatchObject({ status: 'failed', error: { code: 'not_connected' } });
    expect(called(run)).toBeUndefined();
    expect(await waitsOf(world, run)).toEqual([]);
  });

  it('waits for a connection, and is then executed with its first attempt', async () => {
    const { hook } = await world.workflow([appRequest({ connection: shop, if_missing: 'wait', wait_seconds: 120 })]);
    const run = await world.fire(hook, { user: 'late' });
    const [wait] = await waiting(world, run);
    expect(wait).toMatchObject({ kind: 'connection', step: 'read', integration_type: 'shop', reference: 'late' });
    expect(Date.parse(wait.expires_at) - Date.parse(wait.created_at)).toBe(120_000);
    expect(wait.connect_url).toContain(`${world.server.baseUrl}/connect/waits/`);
    expect(called(run)).toBeUndefined();
    const id = await connectKey(world.client, { type: 'shop', key: 'key_of_late_user', reference: 'late' });
    expect(await world.ended(run)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] });
    expect(keyOf(called(run)!)).toBe('key_of_late_user');
    expect(await waitsOf(world, run)).toMatchObject([
      { status: 'answered', answer: { integration_id: id }, connect_url: null },
    ]);
  });

  it.each([
    ['an object', { a: 1 }],
    ['null', null],
    ['a boolean', true],
    ['an empty text', ''],
    ['256 characters', 'x'.repeat(256)],
  ])('fails with validation_error for %s, even where it may wait', async (_name, user) => {
    const { hook } = await world.workflow([appRequest({ connection: shop, if_missing: 'wait' })]);
    const run = await world.fire(hook, { user });
    expect(await world.ended(run)).toMatchObject({ status: 'failed', error: { code: 'validation_error' } });
    expect(await waitsOf(world, run)).toEqual([]);
  });

  it('waits for the reconnection of a connection that has expired', async () => {
    const id = await connectOAuth(world.client, 'grace', { lifetime: '20', refresh: 'no' });
    const { hook } = await world.workflow([appRequest({ if_missing: 'wait' })]);
    const before = await world.fire(hook, { user: 'grace' });
    expect((await world.ended(before)).status).toBe('succeeded');
    await world.server.advance(21_000);
    await until(async () => (await world.client.rest('GET', `/integrations/${id}`)).body.status === 'expired');
    const run = await world.fire(hook, { user: 'grace' });
    await waiting(world, run);
    expect((await world.client.rest('GET', `/integrations/${id}`)).body.status).toBe('expired');
  });
});

describe('an unknown integration type', () => {
  it.each([
    ['app_request', appRequest({ connection: { type: 'sap', reference: 'a' } }), 'actions.0.config.connection.type'],
    ['wait_for_connection', awaitConnection({ type: 'sap' }), 'actions.0.config.type'],
  ])('is refused when the actions are saved: %s', async (_kind, action, field) => {
    expect(await save(action)).toEqual({
      status: 400,
      details: [{ field, message: 'is no integration type of this service' }],
    });
  });

  it.each([
    [
      'app_request',
      appRequest({ connection: { type: '{{ trigger.body.type }}', reference: 'a' }, if_missing: 'wait' }),
    ],
    ['wait_for_connection', awaitConnection({ type: '{{ trigger.body.type }}' })],
  ])('fails the step once it is rendered: %s', async (_kind, action) => {
    const { hook } = await world.workflow([action]);
    for (const type of ['sap', '', 7, null]) {
      const run = await world.fire(hook, { type, user: 'a' });
      expect(await world.ended(run)).toMatchObject({ status: 'failed', error: { code: 'validation_error' } });
      expect(await waitsOf(world, run)).toEqual([]);
    }
  });
});
