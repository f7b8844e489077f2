import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { Receiver } from '../webhooks/receiver.js';
import { pathOf, waiting } from './wait-world.js';

const EVENTS = ['run.waiting', 'run.succeeded', 'wait.created', 'wait.answered', 'wait.expired', 'wait.canceled'];

let world: RunWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([RunWorld.open(), Receiver.open()]);
});
afterAll(async () => {
  receiver.close();
  await world.close();
});

const PAID = { name: 'paid', kind: 'wait_for_callback', config: { timeout_seconds: 60 } };
const post = (url: string, body: unknown) => world.client.send('POST', pathOf(url), { body: JSON.stringify(body) });

/** A workflow with a webhook of its own, and the events that it received, by their times. */
async function watched(actions: object[]) {
  const { id, hook } = await world.workflow(actions);
  const url = receiver.url(`/${id}`);
  const made = await world.client.rest('POST', '/webhooks', { body: { url, events: EVENTS, workflow_id: id } });
  expect(made.status).toBe(201);
  const events = () => receiver.received.filter(({ path }) => path === `/${id}`).map(({ body }) => JSON.parse(body));
  const types = () =>
    events()
      .map(({ type }) => type)
      .sort();
  return { id, hook, webhook: made.body.id as string, events, types };
}

describe('webhook events of waits', () => {
  it('tell of the wait with its URL, and of its answer', async () => {
    const { hook, events, types } = await watched([PAID]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    await post(wait.url, { n: 1 });
    await until(() => events().length === 4);
    expect(types()).toEqual(['run.succeeded', 'run.waiting', 'wait.answered', 'wait.created']);
    const of = (type: string) => events().find((event) => event.type === type)!.data;
    expect(of('wait.created')).toEqual(wait);
    const after = (await world.client.rest('GET', `/waits/${wait.id}`)).body;
    expect(of('wait.answered')).toEqual(after);
    expect(of('run.waiting')).toMatchObject({ id: run, status: 'waiting', finished_at: null });
  });

  it('are stored without their URLs, which redelivery sends again and a read-only key does not see', async () => {
    const { events, hook, webhook } = await watched([
      { ...PAID, config: { timeout_seconds: 3_600 } },
      { name: 'account', kind: 'wait_for_connection', config: { type: 'sandbox_oauth', reference: 'ada' } },
    ]);
    const created = () => events().filter(({ type }) => type === 'wait.created');
    const run = await world.fire(hook);
    const [callback] = await waiting(world, run);
    await post(callback.url, 1);
    await until(() => created().length === 2);
    const [connection] = await waiting(world, run);
    expect(created().map(({ data }) => data)).toEqual([callback, connection]);
    const tokens = [callback.url, connection.connect_url].map((url: string) => url.slice(url.lastIndexOf('/') + 1));
    for (const table of ['events', 'event_arrivals', 'webhook_events']) {
      const rows = await world.server.db.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      for (const token of tokens) expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
    }
    const { body: deliveries } = await world.client.rest('GET', `/webhooks/${webhook}/deliveries?type=wait.created`);
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    for (const { id } of deliveries.data) {
      const path = `/webhooks/${webhook}/deliveries/${id}`;
      const { body: full } = await world.client.rest('GET', path);
      const hidden = { ...full.body.data, url: null, connect_url: null };
      expect((await reader.rest('GET', path)).body).toEqual({ ...full, body: { ...full.body, data: hidden } });
      expect((await world.client.rest('POST', `${path}/redeliver`)).status).toBe(202);
    }
    await until(() => created().length === 4);
    const urls = (of: any[]) => of.map(({ data }) => [data.url, data.connect_url]).sort();
    expect(urls(created().slice(2))).toEqual(urls(created().slice(0, 2)));
  });

  it('tell of an early answer only that it was answered', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.reply = async () => {
      await held;
      return { body: {} };
    };
    const first = world.call('first', { body: { url: '{{ waits.paid.url }}' } });
    const { hook, events, types } = await watched([first, PAID]);
    const run = await world.fire(hook);
    await until(() => world.received.some(({ headers }) => headers['idempotency-key'] === `${run}-0`));
    const sent = world.received.find(({ headers }) => headers['idempotency-key'] === `${run}-0`)!;
    await post(JSON.parse(sent.body).url, 1);
    release();
    await world.ended(run);
    await until(() => types().includes('run.succeeded'));
    expect(types()).toEqual(['run.succeeded', 'wait.answered']);
    expect(events()[0]!.data.run_id ?? events()[1]!.data.run_id).toBe(run);
  });

  it('tell of expiry and cancellation, and nothing of test runs', async () => {
    const { id, hook, types } = await watched([PAID]);
    const test = `mutation ($id: ID!) { testWorkflow(workflowId: $id) { id } }`;
    const tested = (await world.client.graphql(test, { id })).body.data.testWorkflow.id;
    await waiting(world, tested);
    const canceled = await world.fire(hook);
    await waiting(world, canceled);
    await world.client.rest('POST', `/runs/${canceled}/cancel`);
    const expired = await world.fire(hook);
    await waiting(world, expired);
    await world.server.advance(61_000);
    await world.ended(expired);
    await world.ended(tested);
    await until(() => types().length === 6);
    expect(types()).toEqual(
      ['run.waiting', 'run.waiting', 'wait.canceled', 'wait.created', 'wait.created', 'wait.expired'].sort(),
    );
  });
});
