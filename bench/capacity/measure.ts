import pg from 'pg';
import { driveOnce } from '../rounds.js';
import { median, type Row } from '../report.js';
import { fireBacklog, hooksOfAccounts, whenAllEnded } from '../runs/backlogs.js';
import { create } from '../scenarios/create.js';
import { get } from '../scenarios/get.js';
import { hooksSpread } from '../scenarios/hooks.js';
import { list } from '../scenarios/list.js';
import { type DefineScenario } from '../scenarios/scenario.js';
import { changes, gather } from '../scenarios/subscribers.js';
import { type World } from '../world.js';
import { databaseCpu } from './database-cpu.js';

/** The columns of the table of capacity. */
export const CAPACITY_HEAD: Row = [
  '',
  'per second here',
  'CPU of the service',
  'CPU of PostgreSQL',
  'per second and core of the service',
  'per second and core of PostgreSQL',
];

/** How long and how often each is measured. */
export interface CapacityPace {
  warmUp: number;
  rounds: number;
  milliseconds: number;
  /** Runs of a backlog. */
  backlog: number;
  /** Events to all listeners in a round. */
  events: number;
}

/** The pace with and without `--quick`. */
export const CAPACITY_PACE: Readonly<Record<'quick' | 'full', CapacityPace>> = {
  quick: { warmUp: 2_000, rounds: 3, milliseconds: 1_000, backlog: 5_000, events: 40 },
  full: { warmUp: 4_000, rounds: 7, milliseconds: 3_000, backlog: 30_000, events: 200 },
};

/** What one operation costs, by contender of a scenario. */
const OPERATIONS: readonly [title: string, define: DefineScenario, contender: string][] = [
  ['List of 20 with total, REST', list, 'rest'],
  ['List of 20 with total, GraphQL', list, 'graphql'],
  ['One workflow, REST', get, 'rest'],
  ['Create a workflow, REST', create, 'rest'],
  ['Hook, one of 1,000 workflows', hooksSpread, 'hook'],
];

/** The listeners of one event. */
const LISTENERS = 1_000;

/** Operations and the CPU time, in microseconds, that they took of service and PostgreSQL. */
interface Sample {
  perSecond: number;
  service: number;
  database: number;
}

/** What one process of the service and one PostgreSQL do, and what one core of each is good for. */
export async function* measureCapacity(world: World, pace: CapacityPace): AsyncGenerator<Row> {
  for (const [title, define, contender] of OPERATIONS) {
    yield rowOf(title, await requests(world, define, contender, pace));
  }
  yield rowOf('Run with one action, by a worker', await runs(world, pace));
  const title = `One event at one of its ${LISTENERS.toLocaleString('en')} listeners`;
  yield rowOf(title, await listeners(world, pace));
}

async function requests(
  world: World,
  define: DefineScenario,
  contender: string,
  { warmUp, rounds, milliseconds }: CapacityPace,
): Promise<Sample[]> {
  const scenario = define(world.seed);
  await driveOnce(world, scenario, contender, warmUp);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = databaseCpu(world.dataDir);
    const { perSecond, cpu, answers } = await driveOnce(world, scenario, contender, milliseconds);
    samples.push({ perSecond, service: cpu, database: (databaseCpu(world.dataDir) - before) / answers });
  }
  return samples;
}

async function runs(world: World, { rounds, backlog }: CapacityPace): Promise<Sample[]> {
  const db = new pg.Client(world.databaseUrl);
  await db.connect();
  try {
    const hooks = await hooksOfAccounts(world, db);
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const count = await fireBacklog(world, hooks, backlog);
      const started = performance.now();
      const before = databaseCpu(world.dataDir);
      const { child } = await world.startService('worker');
      await whenAllEnded(db);
      const seconds = (performance.now() - started) / 1_000;
      const service = await child.ask<number>('cpu');
      samples.push({
        perSecond: count / seconds,
        service: service / count,
        database: (databaseCpu(world.dataDir) - before) / count,
      });
      await child.stop();
    }
    return samples;
  } finally {
    await db.end();
  }
}

/** Each event is a commit, and a message to each listener by WebSocket. The shares of one message. */
async function listeners(world: World, { rounds, events }: CapacityPace): Promise<Sample[]> {
  const { child, port } = await world.startService();
  const count = await gather(world, port, LISTENERS);
  const told = async (number: number): Promise<void> => {
    for await (const { arrivals } of changes(world, number))
      if (arrivals.length !== count) throw new Error(`${arrivals.length} of ${count} listeners heard an event.`);
  };
  await told(10);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const before = [await child.ask<number>('cpu'), databaseCpu(world.dataDir)] as const;
    await told(events);
    const seconds = (performance.now() - started) / 1_000;
    const messages = events * count;
    samples.push({
      perSecond: messages / seconds,
      service: ((await child.ask<number>('cpu')) - before[0]) / messages,
      database: (databaseCpu(world.dataDir) - before[1]) / messages,
    });
  }
  await world.load.ask('unsubscribe');
  await child.stop();
  return samples;
}

function rowOf(title: string, samples: readonly Sample[]): Row {
  const of = (part: keyof Sample) => median(samples.map((sample) => sample[part]));
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const micro = (value: number) => `${value < 10 ? value.toFixed(1) : whole(value)} µs`;
  const [service, database] = [of('service'), of('database')];
  return [
    title,
    whole(of('perSecond')),
    micro(service),
    micro(database),
    whole(1_000_000 / service),
    whole(1_000_000 / database),
  ];
}
