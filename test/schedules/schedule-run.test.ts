import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';

const MINUTE_MS = 60_000;

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const runsOf = async (trigger: string) => (await world.client.rest('GET', `/runs?trigger_id=${trigger}`)).body.data;

/** Moves the clock right behind the beginning of the next minute. */
async function passMinute(): Promise<Date> {
  const now = world.server.clock.now().getTime();
  const minute = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  await world.server.advance(minute - now + 5);
  return new Date(minute);
}

describe('a schedule of a service that runs', () => {
  it('executes its workflow, which may read the tick, and stores missed ticks as one skipped run', async () => {
    const { id } = await world.workflow([
      world.call('tick', { body: { at: '{{ trigger.body.scheduled_for }}', type: '{{ trigger.type }}' } }),
    ]);
    await passMinute();
    const { body: trigger } = await world.client.rest('POST', '/triggers', {
      body: { workflow_id: id, type: 'schedule', config: { cron: '* * * * *' } },
    });
    const minute = await passMinute();
    await until(async () => (await runsOf(trigger.id)).length > 0);
    const [run] = await runsOf(trigger.id);
    expect(await world.ended(run.id)).toMatchObject({
      status: 'succeeded',
      trigger_type: 'schedule',
      scheduled_for: minute.toISOString(),
      input: { scheduled_for: minute.toISOString() },
    });
    expect(JSON.parse(world.received[0]!.body)).toEqual({ at: minute.toISOString(), type: 'schedule' });

    await world.server.advance(10 * MINUTE_MS);
    await until(async () => (await runsOf(trigger.id)).some(({ status }: { status: string }) => status === 'skipped'));
    const skipped = (await runsOf(trigger.id)).find(({ status }: { status: string }) => status === 'skipped');
    const later = (minutes: number) => new Date(minute.getTime() + minutes * MINUTE_MS).toISOString();
    expect(skipped).toMatchObject({
      status_reason: 'missed',
      scheduled_for: null,
      input: { missed: 9, first: later(1), last: later(9) },
    });
    await until(async () => (await runsOf(trigger.id)).length === 3);
    expect((await world.client.rest('GET', `/workflows/${id}`)).body.run_count).toBe(2);
  });
});
