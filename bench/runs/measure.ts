import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Child } from '../child.js';
import { type Driven } from '../load/http.js';
import { type Pace } from '../load/paced.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { boundRow, ratioRow, type Row } from '../report.js';
import { type Running, type World } from '../world.js';
import { type HookedAccount } from './accounts.js';
import { type Backlog } from './backlog.js';
import { ACCOUNTS, driveOf, fireBacklog, hooksOfAccounts, requestsOf, whenAllEnded } from './backlogs.js';
import { measureSchedules } from './schedules.js';

/** The amount of each measurement. */
export interface RunsPace {
  rounds: number;
  /** Runs of a backlog. */
  backlog: number;
  /** The length of a storm of hooks in one round. */
  stormMs: number;
  schedules: number;
  /** The time of hooks at a steady rate. */
  steadySeconds: number;
}

/** Shared by the measurements: hooks of 100 accounts, and a separate database connection. */
interface Field {
  world: World;
  hooks: readonly HookedAccount[];
  db: pg.Client;
}

/** Measures runs from end to end: the speed of a worker, and its effect on hooks. */
export async function* measureRuns(world: World, pace: RunsPace): AsyncGenerator<Row> {
  const db = new pg.Client(world.databaseUrl);
  await db.connect();
  try {
    const field = { world, db, hooks: await hooksOfAccounts(world, db) };
    yield await backlogs(field, pace);
    yield await storms(field, pace);
    yield await firstSteps(field, pace);
    yield await measureSchedules(world, db, pace.schedules);
  } finally {
    await db.end();
  }
}

/** A backlog of all accounts processed by one worker process, against bare pg-boss with the same backlog. */
async function backlogs(field: Field, { rounds, backlog }: RunsPace): Promise<Row> {
  const env = { DATABASE_URL: field.world.databaseUrl };
  const bare = Child.start(fileURLToPath(new URL('./bare-queue.js', import.meta.url)), { env });
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const since = newUuid(new Date());
      const jobs = await fireBacklog(field.world, field.hooks, backlog);
      await withWorker(field.world, () => whenAllEnded(field.db));
      ours.push(await runsPerSecond(field.db, since));
      await bare.ask('fill', { jobs, groups: ACCOUNTS } satisfies Backlog);
      theirs.push(jobs / (await bare.ask<number>('drain', jobs)));
    }
  } finally {
    await bare.stop();
  }
  const title = `Runs of a no-op, ${backlog.toLocaleString('en')} of 100 accounts, one worker / bare pg-boss`;
  return ratioRow(title, ours, theirs, 0.35);
}

/** Hooks accepted while a worker executes their runs, against hooks without a worker. */
async function storms({ world, hooks, db }: Field, { rounds, stormMs }: RunsPace): Promise<Row> {
  const [busy, alone]: [number[], number[]] = [[], []];
  const storm = async (milliseconds: number) => {
    const { answers, seconds } = await world.load.ask<Driven>('drive', driveOf(world, hooks, milliseconds));
    return answers / seconds;
  };
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await storm(stormMs));
    await withWorker(world, async () => {
      busy.push(await storm(stormMs));
      await whenAllEnded(db);
    });
  }
  return ratioRow('Hooks, with a worker at their runs / without', busy, alone, 0.6);
}

/** The time from a hook to the start of its first step, at 100 hooks a second. */
async function firstSteps({ world, hooks, db }: Field, { steadySeconds }: RunsPace): Promise<Row> {
  const since = newUuid(new Date());
  const { port } = world.servers.service;
  const requests = requestsOf(hooks);
  await withWorker(world, async () => {
    await world.load.ask('pace', {
      port,
      requests,
      status: 202,
      perSecond: 100,
      seconds: steadySeconds,
    } satisfies Pace);
    await whenAllEnded(db);
  });
  const { rows } = await db.query<{ late: number }>(
    `SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM s.started_at - r.created_at) * 1000)::float AS late
     FROM runs r JOIN steps s ON s.run_id = r.id WHERE r.id >= $1`,
    [since],
  );
  return boundRow('Hook to first step at 100 hooks/s, p99', rows[0]!.late, 250, 'ms');
}

async function withWorker(world: World, work: (worker: Running) => Promise<void>): Promise<void> {
  const worker = await world.startService('worker');
  await work(worker);
  await worker.child.stop();
}

/** Runs per second, from the first claim to the last end. @throws Error when a run did not succeed. */
async function runsPerSecond(db: pg.Client, since: string): Promise<number> {
  const { rows } = await db.query<{ count: number; succeeded: number; seconds: number }>(
    `SELECT count(*)::int AS count, count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
            extract(epoch FROM max(finished_at) - min(started_at))::float AS seconds FROM runs WHERE id >= $1`,
    [since],
  );
  const { count, succeeded, seconds } = rows[0]!;
  if (succeeded !== count) throw new Error(`Of ${count} runs ${succeeded} succeeded.`);
  return count / seconds;
}

/** The pace with and without `--quick`. */
export const RUNS_PACE: Readonly<Record<'quick' | 'full', RunsPace>> = {
  quick: { rounds: 2, backlog: 10_000, stormMs: 1_500, schedules: 2_000, steadySeconds: 5 },
  full: { rounds: 2, backlog: 100_000, stormMs: 3_000, schedules: 10_000, steadySeconds: 10 },
};
