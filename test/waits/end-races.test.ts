import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { aFewAtATime } from '../support/a-few-at-a-time.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { pathOf, waiting } from './wait-world.js';

/** The states in which a run, its wait and its waiting step may end together. */
const ENDS = [
  'succeeded answered succeeded',
  'failed expired failed',
  'canceled canceled failed',
  // It was canceled after it had gone on.
  'canceled answered succeeded',
];

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open({ env: { RATE_LIMITS: 'off' } });
});
afterAll(() => world.close());

describe('answers, expiry, cancelation and the deletion of the workflow at the same moment', () => {
  it('end each wait once, and its run and step with it', async () => {
    const { db } = world.server;
    for (const isDeleted of [false, true]) {
      const { id, hook } = await world.workflow([
        { name: 'paid', kind: 'wait_for_callback', config: { timeout_seconds: 60 } },
        world.call('after'),
      ]);
      const runs = await aFewAtATime(Array.from({ length: 24 }), () => world.fire(hook));
      const waits = await aFewAtATime(runs, async (run) => (await waiting(world, run))[0]);
      const soon = async (work: () => Promise<unknown> = () => Promise.resolve()) => {
        await sleep(Math.random() * 1_500);
        await work();
      };
      const { client } = world;
      const answer = async (place: number) => {
        if (place % 3 === 0) await client.rest('POST', `/runs/${runs[place]}/cancel`);
        return (await client.send('POST', pathOf(waits[place].url), { body: String(place) })).status;
      };
      const isOver = (wait: string) =>
        until(async () => (await client.rest('GET', `/waits/${wait}`)).body.status !== 'pending');
      // One is canceled and one answered before the race, one answered after its expiry: each of these ends occurs.
      const first = [await answer(0), await answer(1)];
      await world.server.advance(50_000);
      const expiry = soon(() => world.server.advance(10_000));
      const deletion = isDeleted ? soon(() => client.rest('DELETE', `/workflows/${id}`)) : undefined;
      const others = runs.slice(first.length).map(async (_, index) => {
        await (index === 0 ? expiry.then(() => isOver(waits[first.length].id)) : soon());
        return answer(first.length + index);
      });
      const taken = [...first, ...(await Promise.all(others))];
      await Promise.all([expiry, deletion]);
      await until(async () => (await db.query(`SELECT 1 FROM runs WHERE finished_at IS NULL`)).length === 0);
      const ends = new Set<string>();
      for (const [place, run] of runs.entries()) {
        const ended = await world.run(run);
        const { status, answer } = (await client.rest('GET', `/waits/${waits[place].id}`)).body;
        expect(ENDS).toContain(`${ended.status} ${status} ${ended.steps[0].status}`);
        expect([taken[place], answer]).toEqual(status === 'answered' ? [202, { body: place }] : [410, null]);
        ends.add(status);
      }
      expect([...ends]).toEqual(expect.arrayContaining(['canceled', 'answered', ...(isDeleted ? [] : ['expired'])]));
    }
    const odd = await db.query(
      `SELECT wait_id FROM wait_changes GROUP BY wait_id HAVING count(*) <> 2 OR count(*) FILTER (WHERE status = 'pending') <> 1`,
    );
    expect(odd).toEqual([]);
    expect(await db.query(`SELECT pending, position::int FROM wait_counters`)).toEqual([{ pending: 0, position: 96 }]);
  });
});
