import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { openStream } from '../graphql/transports.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { WEBHOOK_EVENTS } from '../../src/features/webhooks/webhook-event-type.js';
import { waiting } from '../waits/wait-world.js';

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_NETWORK: 'true' };
const EVENTS = `subscription ($after: ID, $types: [String!]) {
  eventOccurred(after: $after, types: $types) { id type timestamp data } }`;

let world: RunWorld;
let other: TestServer;
let key: string;
beforeAll(async () => {
  world = await RunWorld.open({ env: ENV });
  other = await api();
  key = await world.server.key();
});
afterAll(async () => {
  await other.close();
  await world.close();
});

/** Another process, without a worker: its feed hears of events from the worker's process. */
function api(): Promise<TestServer> {
  return startTestServer({ database: world.server.database, env: { ...ENV, ROLES: 'api' } });
}

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function follow(variables: Record<string, unknown> = {}, by = key, on = other) {
  const abort = new AbortController();
  open.push(() => abort.abort());
  const reader = new EventReader(await openStream(on, by, { query: EVENTS, variables }, abort.signal));
  const heard: any[] = [];
  const state = { errors: undefined as any };
  void (async () => {
    for (let event = await reader.next(); event?.event === 'next'; event = await reader.next()) {
      if (event.data.errors) state.errors = event.data.errors;
      else heard.push(event.data.data.eventOccurred);
    }
  })().catch(() => undefined);
  return { heard, state, close: () => abort.abort() };
}

const create = async (name: string): Promise<any> =>
  (await world.client.rest('POST', '/workflows', { body: { name } })).body;
const log = async (client = world.client): Promise<any[]> => (await client.rest('GET', '/events?limit=100')).body.data;
const pathOf = (url: string): string => new URL(url).pathname;
const names = (heard: any[]): string[] => heard.map(({ data }) => data.name);

describe('eventOccurred', () => {
  it('gives each event from now on, once and in the order of the log', async () => {
    await create('Before');
    const { heard } = await follow();
    await Promise.all(Array.from({ length: 30 }, (_, n) => create(`Flow ${n}`)));
    await until(() => heard.length === 30);
    expect(heard.map(({ id }) => id)).toEqual(
      (await log()).filter(({ data }) => data.name.startsWith('Flow')).map(({ id }) => id),
    );
    expect(Object.keys(heard[0].data)).toContain('updated_at');
  });

  it('continues behind any event, on a process that was started since', async () => {
    const first = await follow();
    await create('Heard');
    await until(() => first.heard.length === 1);
    first.close();
    const leaving = await api();
    const second = await follow({ after: first.heard[0].id }, key, leaving);
    await create('Missed 1');
    await until(() => second.heard.length === 1);
    await leaving.close();
    await create('Missed 2');
    const restarted = await api();
    const third = await follow({ after: first.heard[0].id }, key, restarted);
    await create('New');
    await until(() => third.heard.length === 3);
    expect(names(third.heard)).toEqual(['Missed 1', 'Missed 2', 'New']);
    await restarted.close();
  });

  it('gives every event that is kept behind the lowest id, so that a client has a position before its first event', async () => {
    const { heard } = await follow({ after: 'evt_00000000000000000000000000' });
    const { id } = await create('Last');
    await until(() => heard.some(({ data }) => data.id === id));
    expect(heard.slice(0, 100).map((event) => event.id)).toEqual((await log()).map((event) => event.id));
    const { body } = await world.client.rest('GET', '/events?after=evt_00000000000000000000000000&limit=100');
    expect(body.data).toEqual(await log());
  });

  it('gives only the types that are asked for', async () => {
    const { heard } = await follow({ types: ['workflow.deleted'] });
    const { id } = await create('Gone');
    await world.client.rest('DELETE', `/workflows/${id}`);
    await until(() => heard.length === 1);
    expect([heard[0].type, heard[0].data.id]).toEqual(['workflow.deleted', id]);
  });

  it('refuses an event that the log does not have, and unknown types', async () => {
    const gone = await follow({ after: 'evt_01kagrx8060000000000000000' });
    await until(() => gone.state.errors);
    expect(gone.state.errors[0].extensions.code).toBe('GONE');
    const unknown = await follow({ types: ['run.exploded'] });
    await until(() => unknown.state.errors);
    expect(unknown.state.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'types' }],
    });
  });

  it('takes as many types as there are, and refuses one more', async () => {
    const { heard } = await follow({ types: WEBHOOK_EVENTS });
    const { state } = await follow({ types: [...WEBHOOK_EVENTS, 'run.failed'] });
    await until(() => state.errors);
    expect(state.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'types', message: `must not name more than the ${WEBHOOK_EVENTS.length} there are` }],
    });
    await create('Heard by all types');
    await until(() => heard.length === 1);
  });

  it('shows the URLs of waits to keys that may answer them only', async () => {
    const readOnly = await world.server.key('read-only');
    const [full, part] = [
      await follow({ types: ['wait.created'] }),
      await follow({ types: ['wait.created'] }, readOnly),
    ];
    const { hook } = await world.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    const [wait] = await waiting(world, await world.fire(hook));
    await until(() => full.heard.length === 1 && part.heard.length === 1);
    // Each process derives the URLs, under its own base URL.
    expect(pathOf(full.heard[0].data.url)).toBe(pathOf(wait.url));
    expect(part.heard[0].data).toEqual({ ...full.heard[0].data, url: null, connect_url: null });
    const headers = { authorization: `Bearer ${readOnly}` };
    const { body } = await world.client.send('GET', '/v1/events?types=wait.created', { headers });
    expect(body.data[0].data).toEqual(part.heard[0].data);
    expect(JSON.stringify(body)).not.toContain(pathOf(wait.url));
  });

  it('hears of events while no worker runs, and so does a long poll', async () => {
    const alone = await startTestServer({ env: { ...ENV, ROLES: 'api' } });
    const client = new Client(alone.baseUrl, await alone.key());
    const { heard } = await follow({}, client.key, alone);
    const polled = client.rest('GET', '/events?wait=30');
    await client.rest('POST', '/workflows', { body: { name: 'Alone' } });
    await until(() => heard.length === 1);
    expect((await polled).body.data).toEqual([heard[0]]);
    await alone.close();
  });

  it('hears of events while notifications are away', async () => {
    const { heard } = await follow();
    await world.server.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'workflow-gateway listen'`,
    );
    await create('In the dark');
    await until(() => heard.length === 1);
    expect(names(heard)).toEqual(['In the dark']);
  });
});
