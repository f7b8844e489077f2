import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Drive, type Driven, type HttpRequest } from './load/http.js';
import { boundRow, median, type Row } from './report.js';
import { type Pace } from './rounds.js';
import { CONNECTIONS } from './scenarios/scenario.js';
import { makeAccount } from './seed.js';
import { type Running, type World } from './world.js';

/** What the log may add to a create, in per cent. */
const BOUND = 10;
/** The rounds for each of another scenario: what is measured is small. */
const ROUNDS = 3;
/** After it all events of a round are numbered. */
const NUMBERED_MS = 500;

/** The CPU time of one create, in microseconds. */
interface Cost {
  database: number;
  together: number;
}

/**
 * What the log of events adds to a create: to the CPU time of PostgreSQL, with the numbering afterwards, and to that of
 * PostgreSQL and service together. Accounts with and without the log take turns on a service with all roles.
 */
export async function* measureEventLog(world: World, { rounds, milliseconds }: Pace): AsyncGenerator<Row> {
  const db = new pg.Client(world.databaseUrl);
  await db.connect();
  try {
    const [logging, plain] = [await makeAccount(db, 'logging'), await makeAccount(db, 'plain')];
    await db.query('UPDATE accounts SET event_log = false WHERE id = $1', [plain.uuid]);
    const service = await world.startService('api,worker');
    const cost = (key: string) => measureOnce({ world, db, service, milliseconds }, createBy(key));
    for (const { key } of [logging, plain]) await cost(key);
    const all: { on: Cost; off: Cost }[] = [];
    for (let round = 0; round < rounds * ROUNDS; round += 1) {
      if (round % 2 === 0) all.push({ on: await cost(logging.key), off: await cost(plain.key) });
      else {
        const off = await cost(plain.key);
        all.push({ on: await cost(logging.key), off });
      }
    }
    const added = (of: keyof Cost) => median(all.map(({ on, off }) => 100 * (on[of] / off[of] - 1)));
    yield boundRow('A create with the event log / without, CPU of PostgreSQL more', added('database'), BOUND, '%');
    yield boundRow('The same, CPU of PostgreSQL and service more', added('together'), BOUND, '%');
    await service.child.stop();
  } finally {
    await db.end();
  }
}

function createBy(key: string): HttpRequest {
  const body = JSON.stringify({ name: 'Orders to the warehouse', description: 'Sends each order on.' });
  return { method: 'POST', path: '/v1/workflows', key, body };
}

interface Field {
  world: World;
  db: pg.Client;
  service: Running;
  milliseconds: number;
}

async function measureOnce({ world, db, service, milliseconds }: Field, request: HttpRequest): Promise<Cost> {
  const [ofDatabase, ofService] = [await databaseCpu(db), await service.child.ask<number>('cpu')];
  const { port } = service;
  const order: Drive = { port, requests: [request], status: 201, connections: CONNECTIONS, milliseconds };
  const { answers } = await world.load.ask<Driven>('drive', order);
  await sleep(NUMBERED_MS);
  const used = (after: number, before: number): number => (after - before) / answers;
  const database = (await databaseCpu(db)).since(ofDatabase) / answers;
  return { database, together: database + used(await service.child.ask<number>('cpu'), ofService) };
}

/** The CPU time of each process of the database so far, in microseconds. Connections of a pool outlive a round. */
class DatabaseCpu {
  constructor(private readonly byProcess: ReadonlyMap<number, number>) {}

  since(before: DatabaseCpu): number {
    let sum = 0;
    for (const [pid, time] of this.byProcess) sum += time - (before.byProcess.get(pid) ?? 0);
    return sum;
  }
}

async function databaseCpu(db: pg.Client): Promise<DatabaseCpu> {
  const { rows } = await db.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  return new DatabaseCpu(new Map(rows.map(({ pid }) => [pid, cpuOf(pid)])));
}

/** By Linux's scheduler, in nanoseconds there. A process that has just ended counts nothing. */
function cpuOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1_000;
  } catch {
    return 0;
  }
}
