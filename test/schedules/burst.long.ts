import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { Scheduler } from './schedule-world.js';
import { scaled } from '../support/runner/long-scale.js';

const TRIGGERS = scaled(10_000, 300);

let world: TriggerWorld;
let schedulers: Scheduler[];
beforeAll(async () => {
  world = await TriggerWorld.open();
  schedulers = [await Scheduler.open(world), await Scheduler.open(world)];
  await seed();
});
afterAll(async () => {
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  await world.close();
});

/** Active workflows of the account, each with a schedule of every minute. */
async function seed(): Promise<void> {
  await world.db.query(
    `WITH w AS (
       INSERT INTO workflows (id, account_id, name, status, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Flow', 'active', $2, $2 FROM generate_series(1, ${TRIGGERS}) RETURNING id)
     INSERT INTO triggers (id, account_id, workflow_id, type, config, status, next_fire_at, created_at)
     SELECT gen_random_uuid(), $1, id, 'schedule', '{"cron":"* * * * *"}', 'active', $3, $2 FROM w`,
    [world.context.accountId, world.clock.time, new Date(world.clock.time.getTime() + 60_000)],
  );
}

/** The runs of this minute that are queued and have a job. Joined here: SQL would plan it for tables that it thinks empty. */
async function queued(): Promise<number> {
  const runs = await world.db.query<{ id: string }>(
    `SELECT id FROM runs WHERE status = 'queued' AND scheduled_for = $1`,
    [world.clock.time],
  );
  const jobs = new Set((await world.db.query<{ id: string }>(`SELECT id FROM pgboss.job`)).map(({ id }) => id));
  return runs.filter(({ id }) => jobs.has(id)).length;
}

describe('ten thousand schedules of one minute', () => {
  it.each([1, 2])('are all queued once by %d scheduler(s)', async (count) => {
    world.clock.time = new Date(world.clock.time.getTime() + 60_000);
    const started = performance.now();
    await Promise.all(schedulers.slice(0, count).map((scheduler) => scheduler.turn()));
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(`${TRIGGERS} ticks queued by ${count} scheduler(s) in ${seconds.toFixed(1)} s\n`);
    expect(await queued()).toBe(TRIGGERS);
  });
});
