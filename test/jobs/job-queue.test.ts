import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '../../src/platform/ids/ids.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

const newRun = () => ({ uuid: newUuid(new Date()), accountId: world.context.accountId });
const add = (...runs: { uuid: string; accountId: string }[]) => world.db.transaction((tx) => world.queue.add(tx, runs));
const done = (...jobs: { id: string; retryCount: number; groupId: string }[]) =>
  world.db.transaction((tx) => world.queue.done(tx, jobs));
const take = async () => (await world.queue.fetch({ count: 10 })).map(({ id, retryCount }) => ({ id, retryCount }));

describe('the queue of runs', () => {
  it('has a run once, however often and by whichever process it is queued', async () => {
    const run = newRun();
    await Promise.all([add(run), add(run), add(run, newRun())]);
    await add(run);
    expect((await take()).filter(({ id }) => id === run.uuid)).toEqual([{ id: run.uuid, retryCount: 0 }]);
    await add(run);
    expect(await take()).toEqual([]);
  });

  it('takes a run again once its job is settled, also with the same transaction', async () => {
    const run = newRun();
    await add(run);
    const job = { id: run.uuid, retryCount: 0, groupId: run.accountId };
    expect(await take()).toEqual([{ id: run.uuid, retryCount: 0 }]);
    await world.db.transaction(async (tx) => {
      await world.queue.done(tx, [job]);
      await world.queue.add(tx, [run]);
    });
    expect(await take()).toEqual([{ id: run.uuid, retryCount: 0 }]);
    await done(job);
  });

  it('answers a heartbeat with the jobs that still belong to the process', async () => {
    const [kept, lost] = [newRun(), newRun()];
    await add(kept, lost);
    const jobs = await world.queue.fetch({ count: 2 });
    await world.db.query(`UPDATE pgboss.job SET state = 'retry' WHERE id = $1`, [lost.uuid]);
    expect(await world.queue.keepAlive(jobs)).toEqual(new Set([kept.uuid]));
    await take();
    expect(await world.queue.keepAlive(jobs)).toEqual(new Set([kept.uuid]));
    expect(await world.queue.keepAlive([])).toEqual(new Set());
  });

  it('leaves a job alone that was given to another worker, and queues its run no second time', async () => {
    const run = newRun();
    await add(run);
    await take();
    await world.db.query(`UPDATE pgboss.job SET state = 'retry' WHERE id = $1`, [run.uuid]);
    expect(await take()).toEqual([{ id: run.uuid, retryCount: 1 }]);
    await world.db.transaction(async (tx) => {
      await world.queue.done(tx, [{ id: run.uuid, retryCount: 0, groupId: run.accountId }]);
      await world.queue.add(tx, [run]);
    });
    const held = `SELECT state, retry_count FROM pgboss.job WHERE id = $1`;
    expect(await world.db.query(held, [run.uuid])).toEqual([{ state: 'active', retry_count: 1 }]);
  });
});
