import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dropOldRunsJob } from '../../src/features/runs/retention/run-retention.job.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { waiting } from '../waits/wait-world.js';

const DAY_MS = 86_400_000;
const DAYS = 30;
const INPUT = { large: 'x'.repeat(4_000) };

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open({ env: { RUN_RETENTION_DAYS: `${DAYS}` } });
  // The log refers to payloads too.
  await world.server.db.query('UPDATE accounts SET event_log = false');
});
afterAll(() => world.close());

const dropOld = () => dropOldRunsJob(world.server.db, world.server.clock, DAYS).run();

/** A webhook for the end of runs. @returns its id. */
async function webhook(path: string): Promise<string> {
  const body = { url: `${world.targetUrl}/${path}`, events: ['run.succeeded'] };
  return (await world.client.rest('POST', '/webhooks', { body })).body.id;
}

const deliveries = async (id: string): Promise<any[]> =>
  (await world.client.rest('GET', `/webhooks/${id}/deliveries`)).body.data;

const sentTo = (path: string) =>
  world.received.filter(({ url }) => url === `/${path}`).map(({ body }) => JSON.parse(body));

/** A run that waits 45 days in all and then succeeds. */
async function longRun(): Promise<string> {
  const waits = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
    name,
    kind: 'wait_for_approval',
    config: { title: 'Go on', timeout_seconds: 604_800 },
  }));
  const { hook } = await world.workflow(waits);
  const run = await world.fire(hook, INPUT);
  for (const { name } of waits) {
    await until(async () => (await waiting(world, run))[0]?.step === name);
    const [wait] = await waiting(world, run);
    await world.server.advance(6.5 * DAY_MS);
    const body = { decision: 'approved' };
    expect((await world.client.rest('POST', `/waits/${wait.id}/answer`, { body })).status).toBe(200);
  }
  expect((await world.ended(run)).status).toBe('succeeded');
  return run;
}

describe('the event of a run that is older than the retention', () => {
  it('arrives with its input although the receiver was down while the run was dropped', async () => {
    let isDown = true;
    world.reply = ({ url }) => ({ status: url === '/down' && isDown ? 500 : 200 });
    const id = await webhook('down');
    const run = await longRun();
    await until(async () => (await deliveries(id))[0]?.attempts === 1);
    await dropOld();
    expect((await world.client.rest('GET', `/runs/${run}`)).status).toBe(404);
    isDown = false;
    await world.server.advance(6_000);
    await until(async () => (await deliveries(id))[0].status !== 'pending');
    expect((await deliveries(id))[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(sentTo('down').at(-1)).toMatchObject({ data: { id: run, input: INPUT } });
  });
});

describe('a delivery that is requested again', () => {
  it('takes a young copy of its payload, so that repetitions keep no old week', async () => {
    world.reply = () => ({ status: 200 });
    const id = await webhook('again');
    const { hook } = await world.workflow([]);
    const run = await world.fire(hook, INPUT);
    await until(() => sentTo('again').length === 1);
    const [first] = await deliveries(id);
    const payload = async () => {
      const [row] = await world.server.db.query<{ payload: string }>(
        `SELECT e.payload_id AS payload FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
         WHERE d.id = $1`,
        [fromPublicId('dlv', first.id)],
      );
      return row!.payload;
    };
    const redeliver = () => world.client.rest('POST', `/webhooks/${id}/deliveries/${first.id}/redeliver`);
    const original = await payload();
    await redeliver();
    expect(await payload()).toBe(original);
    await world.server.advance(8 * DAY_MS);
    await redeliver();
    expect(await payload()).not.toBe(original);
    await until(() => sentTo('again').length === 3);
    expect(sentTo('again').at(-1)).toMatchObject({ data: { id: run, input: INPUT } });
  });
});
