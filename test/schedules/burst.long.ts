import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TriggerWorld } from '../support/trigger-world.js';
import { Scheduler } from './schedule-world.js';

const TRIGGERS = 10_000;

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

async function queued(): Promise<number> {
  const [row] = await world.db.query(
    `SELECT count(*)::int AS jobs FROM pgboss.job j JOIN runs r ON r.id = j.id
     WHERE r.status = 'queued' AND r.scheduled_for = $1`,
    [world.clock.time],
  );
  return row!.jobs;
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
