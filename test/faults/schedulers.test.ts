import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, type Transaction } from '../../src/platform/db/database.js';
import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { type Fired, firedIn, Scheduler } from '../schedules/schedule-world.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { until } from '../support/until.js';
import { ROUNDS } from './support/rounds.js';

const MINUTE_MS = 60_000;
const CRONS = ['* * * * *', '*/2 * * * *', '3-59/7 * * * *', '5,6,17 * * * *', '* 9 * * *'];
const ZONES = ['UTC', 'Asia/Kolkata', 'Europe/Berlin'];
/** Some workflows have several triggers, which schedulers then contend for. */
const WORKFLOWS = 20;
const TRIGGERS = 20 * ROUNDS;

describe('two schedulers on one database', () => {
  let world: TriggerWorld;
  let schedulers: Scheduler[];
  let triggers: Trigger[];
  let start: Date;

  beforeAll(async () => {
    world = await TriggerWorld.open();
    start = world.clock.time;
    schedulers = [await Scheduler.open(world), await Scheduler.open(world)];
    const workflows = await Promise.all(Array.from({ length: WORKFLOWS }, () => world.workflow()));
    triggers = await Promise.all(
      Array.from({ length: TRIGGERS }, (_, index) =>
        world.trigger({
          workflowId: workflows[index % WORKFLOWS]!.id,
          type: 'schedule',
          config: { cron: CRONS[index % CRONS.length], timezone: ZONES[index % ZONES.length] },
        }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(schedulers.map((scheduler) => scheduler.close()));
    await world.close();
  });

  /** True when some tick is overdue by more than this time. */
  async function isBehind(milliseconds: number): Promise<boolean> {
    const late = await world.db.query('SELECT 1 FROM triggers WHERE next_fire_at <= $1 LIMIT 1', [
      new Date(world.clock.time.getTime() - milliseconds),
    ]);
    return late.length > 0;
  }

  /** Every tick since the start, as text, sorted. */
  function expected(): string[] {
    return triggers
      .flatMap(({ uuid, config }) => {
        const cron = parseCron(config.cron as string, config.timezone as string);
        const found: string[] = [];
        for (let at = nextFire(cron, start); at <= world.clock.time; at = nextFire(cron, at))
          found.push(`${uuid} queued ${at.toISOString()}`);
        return found;
      })
      .sort();
  }

  async function fired(): Promise<string[]> {
    const text = ({ trigger, status, scheduledFor }: Fired) => `${trigger} ${status} ${scheduledFor?.toISOString()}`;
    return (await firedIn(world.db)).map(text).sort();
  }

  it('fire each tick exactly once in 20 minutes', async () => {
    let over = false;
    const looking = schedulers.map(async (scheduler) => {
      while (!over) await scheduler.turn();
    });
    const end = start.getTime() + 20 * MINUTE_MS + 5_000;
    while (world.clock.time.getTime() < end) {
      // While they lag by less than half a minute, nothing is missed.
      await until(async () => !(await isBehind(MINUTE_MS / 2)));
      const next = world.clock.time.getTime() + 1_000 + Math.random() * 14_000;
      world.clock.time = new Date(Math.min(next, end));
    }
    await until(async () => !(await isBehind(0)));
    over = true;
    await Promise.all(looking);
    expect(await fired()).toEqual(expected());
    const [jobs] = await world.db.query(`SELECT count(DISTINCT id)::int AS runs FROM pgboss.job`);
    expect(jobs).toEqual({ runs: expected().length });
    const [counts] = await world.db.query(`SELECT sum(run_count)::int AS runs FROM workflows`);
    expect(counts).toEqual({ runs: expected().length });
  });

  it('lose nothing when one is killed between its claim and its commit', async () => {
    const [victim, other] = schedulers as [Scheduler, Scheduler];
    world.clock.time = new Date(world.clock.time.getTime() + MINUTE_MS);
    const holds = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<void>();
    const turn = victim.turn(stoppedBeforeCommit(victim.db, holds.resolve, ended.promise));
    const pid = await holds.promise;
    const before = await fired();
    await other.turn();
    expect(await fired()).toEqual(before);
    // What PostgreSQL sees of kill -9 is a connection that is gone.
    await world.db.query('SELECT pg_terminate_backend($1)', [pid]);
    ended.resolve();
    await expect(turn).rejects.toThrow();
    await until(async () => {
      await other.turn();
      return !(await isBehind(0));
    });
    expect(await fired()).toEqual(expected());
  });
});

/** A database whose transactions do their work and then wait, with their locks, until the end. */
function stoppedBeforeCommit(real: Database, onHeld: (pid: number) => void, end: Promise<void>): Database {
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    real.transaction(async (tx) => {
      const result = await work(tx);
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      onHeld(row!.pid);
      await end;
      return result;
    });
  return new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return name === 'transaction'
        ? transaction
        : typeof value === 'function'
          ? (value.bind(target) as unknown)
          : value;
    },
  });
}
