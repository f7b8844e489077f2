import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Child } from '../child.js';
import { profiled } from '../profile.js';
import { type Delay } from '../readings.js';
import { makeAccount, makeKey } from '../seed.js';
import { type Running, type World } from '../world.js';
import { type Attack } from './attack.js';
import { type Order } from './order.js';
import { attacks } from './attacks/index.js';
import { forget } from './forget.js';
import { Neighbour, type Samples } from './neighbour.js';
import { type Outcome } from './outcome.js';
import { type Row, rowOf } from './table.js';
import { Watch } from './watch.js';

/** The times of each attack, in milliseconds. */
export interface NeighboursPace {
  /** The first requests, which are not measured: they warm up the service (JIT). */
  warmUp: number;
  /** How long the neighbour is alone, and then attacked: equally long, since the p99 of few samples varies more. */
  measured: number;
}

/** The pace with and without `--quick`. */
export const NEIGHBOURS_PACE: Readonly<Record<'quick' | 'full', NeighboursPace>> = {
  quick: { warmUp: 2_000, measured: 6_000 },
  full: { warmUp: 5_000, measured: 30_000 },
};

/** As in production, except for the needs of the attacks: targets on this machine, and a sandbox application. */
const ENV = { NODE_ENV: 'development', RATE_LIMITS: 'on', ALLOW_PRIVATE_NETWORK: 'true' };
/** After this time without a response the service counts as silent. */
const SILENT_MS = 5_000;

/**
 * Measures how each attack of one account affects another, each against a fresh service. With a folder for profiles the
 * service is profiled during each attack.
 */
export async function* measureNeighbours(
  world: World,
  pace: NeighboursPace,
  isWanted: (attack: Attack) => boolean,
  profiles?: string,
): AsyncGenerator<Row> {
  const db = new pg.Client(world.databaseUrl);
  await db.connect();
  try {
    const a = await makeAccount(db, 'attacker');
    const side = { accountUuid: a.uuid, key: a.key, readKey: await makeKey(db, a.uuid, 'read-only') };
    for (const attack of attacks.filter(isWanted)) {
      const service = await world.startService('api,worker', ENV);
      const order = { name: attack.name, side: { ...side, port: service.port }, databaseUrl: world.databaseUrl };
      const file = profiles && join(profiles, `${attack.name.replaceAll(/\W+/g, '-')}.cpuprofile`);
      yield rowOf(attack.name, await measure(service, db, order, pace, file));
      await service.child.stop(SILENT_MS);
      await forget(db);
    }
  } finally {
    await db.end();
  }
}

async function measure(
  { child, port }: Running,
  db: pg.Client,
  order: Order,
  { warmUp, measured }: NeighboursPace,
  profile?: string,
): Promise<Outcome> {
  const attacking = Child.start(fileURLToPath(new URL('./attacking.js', import.meta.url)));
  const watch = new Watch(child.pid);
  const neighbour = await Neighbour.open(port, await makeAccount(db, `beside ${order.name}`));
  try {
    await spend(neighbour, warmUp);
    const before = await spend(neighbour, measured);
    await attacking.ask('begin', order);
    await child.ask('delay');
    neighbour.start();
    const strike = () => attacking.ask('strike', { name: order.name, milliseconds: measured });
    await (profile === undefined ? strike() : profiled(child, profile, strike));
    const attacked = await neighbour.stop();
    const delay = child.ask<Delay>('delay').catch(() => undefined);
    return {
      quiet: before,
      attacked,
      errors: neighbour.errors,
      peak: watch.peak,
      delay: await Promise.race([delay, sleep(SILENT_MS, undefined)]),
      hasEnded: child.hasEnded,
    };
  } finally {
    watch.stop();
    neighbour.close();
    await attacking.stop();
  }
}

async function spend(neighbour: Neighbour, milliseconds: number): Promise<Samples> {
  neighbour.start();
  await sleep(milliseconds);
  return neighbour.stop();
}
