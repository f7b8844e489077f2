import { fromPublicId } from '../../src/platform/ids/ids.js';
import { type Platform } from '../../src/platform/platform.js';
import { type Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { bulkTurn } from '../runs/bulk/bulk-turn.js';
import { storeRuns } from '../runs/bulk/bulk-world.js';
import { pathOf } from '../waits/wait-world.js';
import { fill, LIMIT, StorageWorld, workflowOf } from './storage-world.js';

const MINUTE_MS = 60_000;

describe('schedules of an account that has stored as much as it may', () => {
  let world: StorageWorld;
  beforeAll(async () => {
    world = await StorageWorld.open();
  });
  afterAll(() => world.close());

  const scheduleOf = async (client: Client) => {
    const { id, hook } = await workflowOf(client);
    const config = { cron: '* * * * *' };
    const { body } = await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'schedule', config } });
    const runs = async () => (await client.rest('GET', `/runs?trigger_id=${body.id}&per_page=100`)).body.data as any[];
    return { hook, runs };
  };

  it('store nothing, fire again with room, and record the ticks in between as missed', async () => {
    const [own, others] = [await scheduleOf(world.client), await scheduleOf(world.other)];
    await fill(world.client, own.hook);
    await world.runs.server.advance(MINUTE_MS);
    await until(async () => (await others.runs()).length === 1);
    await world.runs.server.advance(MINUTE_MS);
    await until(async () => (await others.runs()).length === 2);
    expect(await own.runs()).toEqual([]);
    await world.runs.server.advance(60 * MINUTE_MS);
    await until(async () => (await own.runs()).length === 2);
    const [fired, skipped] = await own.runs();
    expect(fired).toMatchObject({ scheduled_for: expect.any(String), status_reason: null });
    expect(skipped).toMatchObject({ status: 'skipped', status_reason: 'missed', input: { missed: 61 } });
  });
});

describe('bulk operations of an account that has stored as much as it may', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await RunWorld.open({ clock: new StillClock(), env: { ROLES: 'api' } });
  });
  afterAll(() => world.close());

  it('cancel, and wait with retries until there is room', async () => {
    const { server, client } = world;
    await server.key('read-write', 'other');
    const { id: workflow } = await workflowOf(client);
    await storeRuns(world, workflow, { count: 30, status: 'failed' });
    await storeRuns(world, workflow, { count: 10, status: 'queued' });
    const begin = async (path: string, body: object) => (await client.rest('POST', path, { body })).body.id as string;
    const retry = await begin('/runs/retry', { workflow_id: workflow, status: 'failed' });
    const cancel = await begin('/runs/cancel', { workflow_id: workflow, status: 'queued' });
    const [account] = await server.db.query<{ id: string }>(`SELECT account_id AS id FROM workflows WHERE id = $1`, [
      fromPublicId('wf', workflow),
    ]);
    const turn = (prepare: (platform: Platform) => void) =>
      bulkTurn(server, [], { env: { STORED_LIMIT_MB: '1' }, prepare });
    const shown = async (id: string) => (await client.rest('GET', `/bulk/${id}`)).body;
    await turn(({ stored }) => stored.add(account!.id, LIMIT));
    expect(await shown(cancel)).toMatchObject({ status: 'done', done: 10 });
    expect(await shown(retry)).toMatchObject({ status: 'running', done: 0, failed: 0 });
    await turn(() => undefined);
    expect(await shown(retry)).toMatchObject({ status: 'done', done: 30, failed: 0 });
  });
});

describe('an answer to a wait that a run has not reached', () => {
  it('is refused for an account that has stored as much as it may, and taken later', async () => {
    const world = await StorageWorld.open();
    try {
      let go = (): void => undefined;
      const held = new Promise<void>((resolve) => (go = resolve));
      world.runs.reply = async () => {
        await held;
        return { body: 'ok' };
      };
      const { hook } = await workflowOf(world.client, [
        world.runs.call('order', { body: { callback: '{{ waits.paid.url }}' } }),
        { name: 'paid', kind: 'wait_for_callback', config: {} },
      ]);
      const run = await world.runs.fire(hook);
      await until(() => world.runs.received.length > 0);
      const { callback } = JSON.parse(world.runs.received[0]!.body) as { callback: string };
      await fill(world.client, (await workflowOf(world.client)).hook);
      const post = () => world.client.send('POST', pathOf(callback), { body: '{"amount":7}' });
      expect(await post()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      await world.runs.server.advance(86_400_000);
      expect((await post()).status).toBe(202);
      go();
      expect(await world.runs.ended(run)).toMatchObject({ status: 'succeeded' });
    } finally {
      await world.close();
    }
  });
});
