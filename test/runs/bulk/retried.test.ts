import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId, toPublicId } from '../../../src/platform/ids/ids.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { bulkTurn } from './bulk-turn.js';
import { endOf, storeRuns } from './bulk-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' }, patience: 60_000 });
});
afterAll(() => world.close());

const retry = async (body: object) => (await world.client.rest('POST', '/runs/retry', { body })).body;
const retryOne = async (run: string) =>
  fromPublicId('run', (await world.client.rest('POST', `/runs/${toPublicId('run', run)}/retry`)).body.id)!;
const end = (run: string, status: string) =>
  world.server.db.query(`UPDATE runs SET status = $2, finished_at = created_at WHERE id = $1`, [run, status]);
const failedRuns = async (count: number) => {
  const { id } = await world.workflow([]);
  return { workflow_id: id, runs: await storeRuns(world, id, { count, status: 'failed' }) };
};
const itemsOf = async (bulk: string) =>
  (
    await world.server.db.query<{ run: string }>(
      `SELECT run_id AS run FROM bulk_items WHERE bulk_id = $1 ORDER BY run_id`,
      [fromPublicId('bulk', bulk)],
    )
  ).map(({ run }) => run);

describe('a bulk retry', () => {
  it('leaves out failed runs whose retry is under way or has succeeded', async () => {
    const { workflow_id, runs } = await failedRuns(2);
    const retried = await retryOne(runs[0]!);
    for (const from of ['failed_step', 'start']) {
      expect(await itemsOf((await retry({ workflow_id, from })).id)).toEqual([runs[1]]);
    }
    await end(retried, 'succeeded');
    expect(await itemsOf((await retry({ workflow_id })).id)).toEqual([runs[1]]);
  });

  it('takes a run whose retry failed, but not both of them', async () => {
    const { workflow_id, runs } = await failedRuns(1);
    const failed = await retryOne(runs[0]!);
    await end(failed, 'failed');
    expect(await itemsOf((await retry({ workflow_id })).id)).toEqual([failed]);
    await world.server.db.query(`UPDATE runs SET error = '{"code":"other"}' WHERE id = $1`, [runs[0]]);
    expect(await itemsOf((await retry({ workflow_id, error_code: 'other' })).id)).toEqual(runs);
    const last = await retryOne(failed);
    await end(last, 'succeeded');
    expect((await retry({ workflow_id })).matched).toBe(0);
    expect((await retry({ workflow_id, error_code: 'other' })).matched).toBe(0);
  });

  it('from the start takes every ended run, also those whose retry has ended, and that retry', async () => {
    const { workflow_id, runs } = await failedRuns(2);
    const start = { workflow_id, from: 'start' };
    const succeeded = await retryOne(runs[0]!);
    await end(succeeded, 'succeeded');
    const failed = await retryOne(runs[1]!);
    await end(failed, 'failed');
    expect(await itemsOf((await retry(start)).id)).toEqual([...runs, succeeded, failed]);
    expect(await itemsOf((await retry({ ...start, status: 'failed' })).id)).toEqual([...runs, failed]);
  });

  it('from the start leaves out a run while a retry of it, or of its retries, is under way', async () => {
    const { workflow_id, runs } = await failedRuns(3);
    const start = { workflow_id, from: 'start' };
    for (const run of runs.slice(0, 2)) await end(run, 'succeeded');
    await retryOne(runs[0]!);
    const failed = await retryOne(runs[1]!);
    await end(failed, 'failed');
    const last = await retryOne(failed);
    expect(await itemsOf((await retry(start)).id)).toEqual([runs[2]]);
    await end(last, 'failed');
    expect(await itemsOf((await retry(start)).id)).toEqual([...runs.slice(1), failed, last]);
  });

  it('from the start takes no run again that was retried since the request, even if that retry has ended', async () => {
    const { workflow_id, runs } = await failedRuns(3);
    await end(runs[1]!, 'succeeded');
    const before = await retryOne(runs[2]!);
    await end(before, 'canceled');
    const { id, matched } = await retry({ workflow_id, from: 'start' });
    for (const [place, status] of ['failed', 'succeeded'].entries()) await end(await retryOne(runs[place]!), status);
    await bulkTurn(world.server);
    expect([matched, await endOf(world, id)]).toMatchObject([4, { done: 2, failed: 2 }]);
    const rows = await world.server.db.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM runs WHERE retry_of = ANY ($1) GROUP BY retry_of ORDER BY retry_of`,
      [[...runs, before]],
    );
    expect(rows.map(({ n }) => n)).toEqual([1, 1, 2, 1]);
  });

  it.each(['failed_step', 'start'])(
    'from %s executes nothing twice when it is requested twice at once',
    async (from) => {
      const { workflow_id, runs } = await failedRuns(5);
      if (from === 'start') await end(runs[0]!, 'succeeded');
      const operations = [await retry({ workflow_id, from }), await retry({ workflow_id, from })];
      await bulkTurn(world.server);
      const ends = await Promise.all(operations.map(({ id }) => endOf(world, id)));
      expect(ends.map(({ done, failed }) => [done, failed])).toEqual([
        [5, 0],
        [0, 5],
      ]);
      const retries = await world.server.db.query(`SELECT 1 FROM runs WHERE retry_of = ANY ($1)`, [runs]);
      expect(retries).toHaveLength(5);
    },
  );

  it('shows on a run what retries it', async () => {
    const { runs } = await failedRuns(2);
    await retryOne(runs[0]!);
    const newest = await retryOne(runs[0]!);
    const query = `query ($a: ID!, $b: ID!) { a: run(id: $a) { retriedBy } b: run(id: $b) { retriedBy } }`;
    const variables = { a: toPublicId('run', runs[0]!), b: toPublicId('run', runs[1]!) };
    const { body } = await world.client.graphql(query, variables);
    expect(body.data).toEqual({ a: { retriedBy: toPublicId('run', newest) }, b: { retriedBy: null } });
  });
});
