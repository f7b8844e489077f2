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
const heard = (...runs: { uuid: string }[]) => ({ ours: new Set(runs.map(({ uuid }) => uuid)), locked: new Set() });
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
    expect(await world.queue.keepAlive(jobs)).toEqual(heard(kept));
    await take();
    expect(await world.queue.keepAlive(jobs)).toEqual(heard(kept));
    expect(await world.queue.keepAlive([])).toEqual(heard());
  });

  it('sends a heartbeat without waiting for jobs that another transaction has locked', async () => {
    const [free, locked] = [newRun(), newRun()];
    await add(free, locked);
    const jobs = await world.queue.fetch({ count: 2 });
    await world.db.query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '9 s' WHERE id = ANY($1)`, [
      [free.uuid, locked.uuid],
    ]);
    await world.db.transaction(async (tx) => {
      await world.queue.done(
        tx,
        jobs.filter(({ id }) => id === locked.uuid),
      );
      const { ours, locked: left } = await world.queue.keepAlive(jobs);
      expect([ours, left]).toEqual([new Set([free.uuid]), new Set([locked.uuid])]);
    });
    const late = `SELECT id FROM pgboss.job WHERE id = $1 AND heartbeat_on < now() - interval '8 s'`;
    expect(await world.db.query(late, [free.uuid])).toEqual([]);
    expect(await world.queue.keepAlive(jobs)).toEqual(heard(free));
    await done(...jobs);
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
