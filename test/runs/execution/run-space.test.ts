import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { MAX_OUTPUT_BYTES } from '../../../src/features/runs/execution/step-output.js';
import { gauge } from '../../graphql/subscriptions/changes.js';
import { Client } from '../../support/http/client.js';
import { sourceApps } from '../../app-events/source-apps.js';
import { appsOf } from '../../integrations/world.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

const MEBIBYTE = 2 ** 20;
/** The memory limit of all runs of a process. */
const SPACE = 128 * MEBIBYTE;
/** The size of an event that fires many workflows: a request with it may have at most a megabyte. */
const LARGE = { type: 'thing.made', filler: 'x'.repeat(1_000_000) };

let world: RunWorld;
let neighbour: Client;
beforeAll(async () => {
  world = await RunWorld.open({ apps: (baseUrl) => appsOf(sourceApps(baseUrl)) });
  neighbour = new Client(world.server.baseUrl, await world.server.key('read-write', 'neighbour'));
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: { ok: true } });
});

const bytes = () => gauge(world.server, 'run_bytes');

/** The URL for the events of a connected app. */
async function eventsPath(): Promise<string> {
  const credentials = { api_key: 'sandbox_valid_key' };
  const { body } = await world.client.rest('POST', '/integrations/connect', {
    body: { type: 'unsigned', credentials },
  });
  const query = `query ($id: ID!) { integration(id: $id) { eventsUrl } }`;
  const { data } = (await world.client.graphql(query, { id: body.id })).body;
  return new URL(data.integration.eventsUrl as string).pathname;
}

async function post(hook: string, body: string): Promise<string> {
  return (await world.client.send('POST', hook, { body })).body.run_id;
}

/** Workflows that call a host each, with a hundred triggers that wait for the same event. @returns their ids. */
async function listeningWorkflows(hosts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const host of hosts) {
    const url = world.targetUrl.replace('127.0.0.1', host);
    const config = { method: 'POST', url: `${url}/hangs`, body: '{{ trigger.body }}' };
    const { id } = await world.workflow([{ name: 'hangs', kind: 'http_request', config }]);
    const body = { workflow_id: id, type: 'app_event', config: { event: 'thing.made' } };
    expect((await world.client.rest('POST', '/triggers', { body })).status).toBe(201);
    ids.push(fromPublicId('wf', id)!);
  }
  await world.server.db.query(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
     SELECT gen_random_uuid(), account_id, workflow_id, type, config, status, event, created_at
     FROM triggers, generate_series(1, 99) WHERE workflow_id = ANY($1) AND type = 'app_event'`,
    [ids],
  );
  return ids;
}

describe('runs with large inputs in front of targets that hang', () => {
  it('use no more than their share: the others wait in the queue, and runs of another account are executed', async () => {
    let answer: (() => void) | undefined;
    const held = new Promise<object>((resolve) => (answer = () => resolve({})));
    world.reply = ({ url }) => (url === '/hangs' ? held : {});
    const events = await eventsPath();
    const workflows = await listeningWorkflows(['127.0.0.1', 'localhost']);
    const text = JSON.stringify(LARGE);
    expect((await world.client.send('POST', events, { body: text })).body.run_ids).toHaveLength(200);
    await until(() => world.received.length >= 60);
    const own = world.client;
    Object.assign(world, { client: neighbour });
    const other = await world.workflow([world.call('quick', { body: '{{ trigger.body.length }}' })]);
    const ended = await world.ended(await world.fire(other.hook, { length: 7 }));
    Object.assign(world, { client: own });
    expect(ended).toMatchObject({ status: 'succeeded' });
    // A request and its output. A single account may use two thirds of the memory.
    const most = Math.floor((SPACE * 2) / 3 / (text.length + MAX_OUTPUT_BYTES));
    expect(world.received.filter(({ url }) => url === '/hangs').length).toBeLessThanOrEqual(most);
    expect(await bytes()).toBeLessThanOrEqual((SPACE * 2) / 3);
    const { body: waiting } = await world.client.rest('GET', '/runs?status=queued&per_page=1');
    expect(waiting.meta.total).toBeGreaterThan(0);
    answer!();
    const done = `SELECT 1 FROM runs WHERE workflow_id = ANY($1) AND status = 'succeeded'`;
    await until(async () => (await world.server.db.query(done, [workflows])).length === 200);
    expect(world.received.filter(({ body }) => body === text)).toHaveLength(200);
    await until(async () => (await bytes()) === 0);
  });
});

describe('a run with large outputs', () => {
  it('passes earlier outputs to each step that names them, also those not kept in memory', async () => {
    const output = JSON.stringify({ list: Array.from({ length: 19_000 }, () => ({})), last: 'x' });
    world.reply = ({ url }) => ({ body: url.startsWith('/brings') ? output : { ok: true } });
    const names = Array.from({ length: 6 }, (_, n) => `brings${n}`);
    const body = { lasts: names.map((name) => `{{ steps.${name}.body.last }}`), input: '{{ trigger.body.id }}' };
    const { hook } = await world.workflow([
      ...names.map((name) => world.call(name)),
      { name: 'pause', kind: 'delay', config: { seconds: 60 } },
      world.call('uses', { body }),
    ]);
    const id = await post(hook, JSON.stringify({ id: 7, filler: 'x'.repeat(100_000) }));
    const waits = `SELECT 1 FROM runs WHERE id = $1 AND resume_at IS NOT NULL`;
    await until(async () => (await world.server.db.query(waits, [fromPublicId('run', id)])).length === 1);
    await world.server.advance(61_000);
    expect((await world.ended(id)).status).toBe('succeeded');
    const uses = world.received.find(({ url }) => url === '/uses')!;
    expect(JSON.parse(uses.body)).toEqual({ lasts: names.map(() => 'x'), input: 7 });
  });

  it('fails a step whose rendered config is too large', async () => {
    const { hook } = await world.workflow([
      world.call('too-much', {
        body: '{{ trigger.body }}{{ trigger.body.0 }}',
        headers: { 'x-all': '{{ trigger.body }}' },
      }),
    ]);
    const run = await world.ended(await post(hook, JSON.stringify(['x'.repeat(700_000)])));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_large' } });
  });
});

describe('a condition at the start of a run', () => {
  it.each([
    ['holds', 'x', 1],
    ['does not hold', 'y', 0],
  ])('reads a large input and %s', async (_, value, calls) => {
    const condition = {
      name: 'c',
      kind: 'condition',
      config: { path: 'trigger.body.last', operator: 'equals', value },
    };
    const { hook } = await world.workflow([condition, world.call('after')]);
    const run = await world.ended(await post(hook, JSON.stringify({ filler: 'z'.repeat(500_000), last: 'x' })));
    expect(run).toMatchObject({
      status: 'succeeded',
      steps: [{ output: { holds: calls === 1 } }, ...[{}].slice(1 - calls)],
    });
    expect(world.received).toHaveLength(calls);
  });
});
