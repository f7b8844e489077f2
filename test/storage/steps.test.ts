import { until } from '../support/until.js';
import { fill, StorageWorld, workflowOf } from './storage-world.js';

const KEPT = 262_144;
const ERROR = { code: 'too_much_stored', message: expect.stringContaining('STORED_LIMIT_MB') };

let world: StorageWorld;
beforeAll(async () => {
  world = await StorageWorld.open();
});
afterAll(() => world.close());

const received = (name: string) => world.runs.received.filter(({ url }) => url === `/${name}`).length;
const fire = async (client: StorageWorld['client'], hook: string): Promise<string> =>
  (await client.send('POST', hook, { body: '{}' })).body.run_id;

/** The run of an account once it has ended. */
async function endOf(client: StorageWorld['client'], run: string): Promise<any> {
  const { body } = await client.rest('GET', `/runs/${run}?wait=30`);
  return body.finished_at === null ? endOf(client, run) : body;
}

/** Waits until a run sleeps: a delay that begins after the clock was moved would not end. */
async function asleep(client: StorageWorld['client'], id: string): Promise<void> {
  const query = 'query ($id: ID!) { run(id: $id) { resumesAt } }';
  await until(async () => (await client.graphql(query, { id })).body.data.run.resumesAt !== null);
}

describe('a step of an account that has stored as much as it may', () => {
  it('fails its run before it is executed: four outputs of 256 kB are a megabyte', async () => {
    world.runs.reply = () => ({ body: 'x'.repeat(KEPT) });
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const { hook } = await workflowOf(
      world.client,
      names.map((name) => world.runs.call(name)),
    );
    const run = await endOf(world.client, await fire(world.client, hook));
    expect(run).toMatchObject({ status: 'failed', error: ERROR });
    expect(run.steps.map(({ status }: { status: string }) => status)).toEqual([
      ...['succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed'],
    ]);
    expect(run.steps[4]).toMatchObject({ name: 'five', error: ERROR, output: null });
    expect(names.map(received)).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('does not concern another account', async () => {
    const { hook } = await workflowOf(world.other, [world.runs.call('others')]);
    expect(await endOf(world.other, await fire(world.other, hook))).toMatchObject({ status: 'succeeded' });
    expect(received('others')).toBe(1);
  });

  it('fails the runs of its queue, too', async () => {
    const client = await world.account('queue');
    const delay = { name: 'pause', kind: 'delay', config: { seconds: 60 } };
    const { hook } = await workflowOf(client, [delay, world.runs.call('queued')]);
    const runs = await Promise.all(Array.from({ length: 5 }, () => fire(client, hook)));
    for (const run of runs) await asleep(client, run);
    await fill(client, (await workflowOf(client)).hook);
    await world.runs.server.advance(61_000);
    for (const run of runs) expect(await endOf(client, run)).toMatchObject({ status: 'failed', error: ERROR });
    expect(received('queued')).toBe(0);
  });

  it('fails in the claim of its run, too, if it makes no call', async () => {
    const client = await world.account('claim');
    const { hook } = await workflowOf(client, [
      { name: 'paid', kind: 'wait_for_callback', config: {} },
      { name: 'on', kind: 'condition', config: { path: 'trigger.type', operator: 'exists' } },
    ]);
    const run = await fire(client, hook);
    const waits = async () => (await client.rest('GET', `/waits?run_id=${run}`)).body.data;
    await until(async () => (await waits()).length > 0);
    await fill(client, (await workflowOf(client)).hook);
    const [{ id }] = await waits();
    expect((await client.rest('POST', `/waits/${id}/answer`, { body: { body: 7 } })).status).toBe(200);
    const ended = await endOf(client, run);
    expect(ended).toMatchObject({ status: 'failed', error: ERROR });
    expect(ended.steps.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed']);
  });

  it('is executed by a retry once there is room', async () => {
    const client = await world.account('again');
    const { hook } = await workflowOf(client, [
      { name: 'pause', kind: 'delay', config: { seconds: 60 } },
      world.runs.call('retried'),
    ]);
    world.runs.reply = () => ({ body: 'ok' });
    const run = await fire(client, hook);
    await asleep(client, run);
    await fill(client, (await workflowOf(client)).hook);
    await world.runs.server.advance(61_000);
    expect(await endOf(client, run)).toMatchObject({ status: 'failed', error: ERROR });
    await world.runs.server.advance(86_400_000);
    const retry = await client.rest('POST', `/runs/${run}/retry`);
    expect(retry.status).toBe(201);
    await asleep(client, retry.body.id);
    await world.runs.server.advance(61_000);
    expect(await endOf(client, retry.body.id)).toMatchObject({ status: 'succeeded' });
    expect(received('retried')).toBe(1);
  });
});
