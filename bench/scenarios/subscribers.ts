import { systemClock } from '../../src/platform/clock.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { Integration } from '../../src/features/integrations/integration.entity.js';
import { ChangeRecorder, hintAtChanges } from '../../src/features/integrations/changes/record-change.js';
import { type Subscribe } from '../load/subscribers.js';
import { type Memory } from '../readings.js';
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
  const { load, startService } = world;
  const { child, port } = await startService();
  // A few subscribe and leave first, so that one-time costs are not counted.
  await gather(world, port, 500);
  await load.ask('unsubscribe');
  const before = await child.ask<Memory>('memory');
  const count = await gather(world, port, size);
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

/** Opens subscribers at a process, who all wait for the same integration. @returns their number. */
export async function gather({ load, seed }: World, port: number, size: number): Promise<number> {
  const { id } = seed.awaited;
  const keys = seed.awaited.keys.slice(1);
  const wanted: Subscribe = { port, query: QUERY, variables: { id }, keys, perKey: Math.ceil(size / keys.length) };
  return load.ask<number>('subscribe', wanted);
}

/**
 * Commits events one by one. @returns the median time in which an event reached 99 of 100 subscribers, in milliseconds.
 */
async function tell(world: World, count: number, events: number): Promise<number> {
  const late: number[] = [];
  for await (const { committed, arrivals } of changes(world, events))
    late.push(arrivals[Math.ceil(count * 0.99) - 1]! - committed);
  return median(late);
}

/** Commits events one by one, each once all subscribers have heard the one before. Times are milliseconds since the epoch. */
export async function* changes(
  { databaseUrl, load, seed }: World,
  events: number,
): AsyncGenerator<{ committed: number; arrivals: number[] }> {
  const source = createDataSource({ url: databaseUrl, poolSize: 2 }, [Integration]);
  await source.initialize();
  const db = new Database(source);
  const notifications = new Notifications(databaseUrl, createLogger('silent'));
  await notifications.start();
  const recorder = new ChangeRecorder(systemClock, [hintAtChanges(notifications)]);
  try {
    for (let event = 0; event < events; event += 1) {
      await load.ask('listen');
      const change = { from: 'connected', to: 'connected', reason: 'reconnected' } as const;
      await db.transaction((tx) => recorder.record(tx, seed.awaited.uuid, change));
      const committed = performance.timeOrigin + performance.now();
      yield { committed, arrivals: await load.ask<number[]>('heard') };
    }
  } finally {
    await notifications.stop();
    await source.destroy();
  }
}
