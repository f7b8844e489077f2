import { systemClock } from '../../src/platform/clock.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { Integration } from '../../src/features/integrations/integration.entity.js';
import { ChangeRecorder } from '../../src/features/integrations/changes/record-change.js';
import { type Subscribe } from '../load/subscribers.js';
import { type Memory } from '../meter.js';
import { boundRow, median, type Row } from '../report.js';
import { type World } from '../world.js';

const QUERY = `subscription Wait($id: ID) {
  integrationStatusChanged(integrationId: $id) { id previousStatus status reason version at }
}`;
const KILOBYTE = 1_000;

/** The number of subscribers, and of events sent to them. */
export interface Crowd {
  size: number;
  events: number;
}

/**
 * Measures WebSocket subscribers of one integration: the memory of each while idle, and the time until an event reaches
 * the last.
 */
export async function measureSubscribers(world: World, { size, events }: Crowd): Promise<Row[]> {
  const { load, seed, startService } = world;
  const { child, port } = await startService();
  const [spare, ...keys] = seed.awaited.keys;
  const operation = { port, query: QUERY, variables: { id: seed.awaited.id } };
  // A few subscribe and leave first, so that one-time costs are not counted.
  await load.ask('subscribe', { ...operation, keys: [spare!], perKey: 500 } satisfies Subscribe);
  await load.ask('unsubscribe');
  const before = await child.ask<Memory>('memory');
  const count = await load.ask<number>('subscribe', { ...operation, keys, perKey: size / keys.length });
  const after = await child.ask<Memory>('memory');
  const late = await tell(world, count, events);
  await load.ask('unsubscribe');
  await child.stop();
  const crowd = size.toLocaleString('en');
  return [
    boundRow(`Memory per idle subscriber (${crowd}), RSS`, (after.rss - before.rss) / count / KILOBYTE, 25, 'kB'),
    boundRow(`Memory per idle subscriber (${crowd}), heap`, (after.heap - before.heap) / count / KILOBYTE, 25, 'kB'),
    boundRow(`One event to ${crowd}, p99 after its commit`, late, 500, 'ms'),
  ];
}

/**
 * Commits events one by one. @returns the median time in which an event reached 99 of 100 subscribers, in milliseconds.
 */
async function tell({ databaseUrl, load, seed }: World, count: number, events: number): Promise<number> {
  const source = createDataSource({ url: databaseUrl, poolSize: 2 }, [Integration]);
  await source.initialize();
  const db = new Database(source);
  const late: number[] = [];
  for (let event = 0; event < events; event += 1) {
    await load.ask('listen');
    const change = { from: 'connected', to: 'connected', reason: 'reconnected' } as const;
    await db.transaction((tx) => new ChangeRecorder(systemClock).record(tx, seed.awaited.uuid, change));
    const committed = performance.timeOrigin + performance.now();
    const arrivals = await load.ask<number[]>('heard');
    late.push(arrivals[Math.ceil(count * 0.99) - 1]! - committed);
  }
  await source.destroy();
  return median(late);
}
