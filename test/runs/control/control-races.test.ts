import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventReader } from '../../graphql/subscriptions/event-reader.js';
import { gauge } from '../../graphql/subscriptions/changes.js';
import { openStream } from '../../graphql/transports.js';
import { Client } from '../../support/http/client.js';
import { forbiddenTransitions, recordTransitions } from '../../support/database/recorded-transitions.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const RUNS = 80;
const NAMES = ['a', 'b', 'c', 'd'];

let world: RunWorld;
let second: TestServer;
let clients: Client[];
const streams = new AbortController();

beforeAll(async () => {
  // Both wait long for their statements on a busy machine.
  world = await RunWorld.open({ patience: 120_000 });
  const { database, clock, db } = world.server;
  await recordTransitions(db, 'runs');
  second = await startTestServer({ database, clock, env: { ALLOW_PRIVATE_NETWORK: 'true' }, patience: 120_000 });
  clients = [world.client, new Client(second.baseUrl, world.client.key)];
});
afterAll(async () => {
  streams.abort();
  await second.close();
  await world.close();
});

interface Change {
  run: { id: string };
  previousStatus: string | null;
  status: string;
  version: number;
}

/** Every change of the account, as one process publishes it. */
async function followAll(server: TestServer): Promise<Map<string, Change[]>> {
  const query = 'subscription { runStatusChanged { run { id } previousStatus status version } }';
  const reader = new EventReader(await openStream(server, world.client.key!, { query }, streams.signal));
  const heard = new Map<string, Change[]>();
  void (async () => {
    for (let event = await reader.next(); event?.event === 'next'; event = await reader.next()) {
      const change = event.data.data.runStatusChanged as Change;
      heard.set(change.run.id, [...(heard.get(change.run.id) ?? []), change]);
    }
  })().catch(() => undefined);
  await until(async () => (await gauge(server, 'run_listeners')) === 1);
  return heard;
}

/** Some number below `end`, the same in each test run. */
let seed = 7;
const below = (end: number) => (seed = (seed * 48_271) % 2_147_483_647) % end;

/** The steps of a run that reached the target, once for each call. */
const callsOf = (id: string) =>
  world.received
    .map(({ headers }) => headers['idempotency-key'] as string)
    .filter((key) => key.startsWith(id))
    .map((key) => Number(key.split('-')[1]));

describe('runs of two processes that are canceled at any moment, then retried', () => {
  it('end once, make no call twice or after their end, and both processes publish every change', async () => {
    world.reply = async () => {
      await sleep(below(30));
      return { body: { ok: true } };
    };
    const heard = await Promise.all([world.server, second].map(followAll));
    const { hook } = await world.workflow(NAMES.map((name) => world.call(name)));
    const firstCourse = Array.from({ length: RUNS }, async (_, place) => {
      const id = await world.fire(hook);
      // At once, after some calls, or after its end.
      const reached = place % (NAMES.length + 2);
      if (reached > NAMES.length) await world.ended(id);
      else await until(() => callsOf(id).length >= reached);
      await sleep(below(20));
      const answers = await Promise.all(
        clients.map((client) => client.rest('POST', `/runs/${id}/cancel`)).slice(0, 1 + (place % 2)),
      );
      for (const { status } of answers) expect([200, 409]).toContain(status);
      if (answers.some(({ body }) => body.status === 'canceled')) {
        const before = callsOf(id).length;
        await sleep(50);
        expect(callsOf(id)).toHaveLength(before);
      }
      return world.ended(id);
    });
    const runs = await Promise.all(firstCourse);
    const statuses = new Set(runs.map(({ status }) => status as string));
    expect([...statuses].sort()).toEqual(['canceled', 'succeeded']);

    const canceled = runs.filter(({ status }) => status === 'canceled');
    const retries = await Promise.all(
      canceled.map(async ({ id }, place) => {
        const { status, body } = await clients[place % 2]!.rest('POST', `/runs/${id}/retry`);
        expect([status, body.message]).toEqual([201, undefined]);
        return world.ended(body.id as string);
      }),
    );

    for (const run of [...runs, ...retries]) {
      const kept = canceled.find(({ id }) => id === run.retry_of)?.steps ?? [];
      const done = kept.filter(({ status }: { status: string }) => status === 'succeeded').length as number;
      if (run.retry_of !== null) {
        expect(run).toMatchObject({ status: 'succeeded', attempt: 2 });
        expect(run.steps.slice(0, done)).toEqual(kept.slice(0, done));
      }
      // A recorded step was called once; a copied one, or one that never started, was not called.
      expect(callsOf(run.id)).toEqual(run.steps.slice(done).map(({ index }: { index: number }) => index));
      const course = [null, 'QUEUED', ...(run.started_at === null ? [] : ['RUNNING']), run.status.toUpperCase()];
      for (const told of heard) {
        await until(() => told.get(run.id)?.length === course.length - 1);
        expect(told.get(run.id)).toEqual(
          course.slice(1).map((status, place) => ({
            run: { id: run.id },
            previousStatus: course[place],
            status,
            version: place + 1,
          })),
        );
      }
    }
    expect(retries.length).toBeGreaterThan(RUNS / 10);
    expect(await forbiddenTransitions(world.server.db, 'runs')).toEqual([]);
  });
});
