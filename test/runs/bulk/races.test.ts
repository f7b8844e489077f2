import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId, toPublicId } from '../../../src/platform/ids/ids.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { bulkTurn } from './bulk-turn.js';
import { endOf, storeRuns } from './bulk-world.js';

let world: RunWorld;
let workers: TestServer[];
beforeAll(async () => {
  world = await RunWorld.open({ patience: 120_000 });
  const { database, clock } = world.server;
  const env = { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' };
  workers = await Promise.all([1, 2].map(() => startTestServer({ database, clock, env, patience: 120_000 })));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await world.close();
});

const post = async (path: string, body: object = {}) => (await world.client.rest('POST', path, { body })).body;

describe('a bulk operation beside other requests, with three workers', () => {
  it('counts each run once: retried beside the deletion of a workflow and of runs', async () => {
    const kept = (await world.workflow([])).id;
    const deleted = (await world.workflow([])).id;
    const failed = await storeRuns(world, kept, { count: 60, status: 'failed', code: 'race' });
    await storeRuns(world, deleted, { count: 60, status: 'failed', code: 'race' });
    const { id, matched } = await post('/runs/retry', { error_code: 'race' });
    await Promise.all([
      world.client.rest('DELETE', `/workflows/${deleted}`),
      world.server.db.query(`DELETE FROM runs WHERE id = ANY($1)`, [failed.slice(-10)]),
      bulkTurn(world.server),
    ]);
    const end = await endOf(world, id);
    const retries = await world.server.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM runs WHERE retry_of IS NOT NULL AND workflow_id = ANY($1) GROUP BY retry_of`,
      [[fromPublicId('wf', kept), fromPublicId('wf', deleted)]],
    );
    expect([matched, end.done + end.failed, end.done]).toEqual([120, 120, retries.length]);
    expect(retries.every(({ n }) => n === 1)).toBe(true);
  });

  it('counts each run once: canceled by two operations and by single requests', async () => {
    const { id: workflow } = await world.workflow([{ name: 'pause', kind: 'delay', config: { seconds: 3_600 } }]);
    const queued = await storeRuns(world, workflow, { count: 80, status: 'queued' });
    const operations = [
      await post('/runs/cancel', { workflow_id: workflow }),
      await post('/runs/cancel', { status: 'queued' }),
    ];
    const single = await Promise.all(
      queued
        .filter((_, place) => place % 4 === 0)
        .map(async (run) => world.client.rest('POST', `/runs/${toPublicId('run', run)}/cancel`)),
    );
    const ends = await Promise.all(operations.map(({ id }) => endOf(world, id)));
    for (const end of ends) expect(end.done + end.failed).toBe(end.matched);
    const accepted = single.filter(({ status }) => status === 200).length;
    const rows = await world.server.db.query<{ status: string; version: number }>(
      `SELECT status, version FROM runs WHERE id = ANY($1)`,
      [queued],
    );
    // None has a job, so none was started: each was canceled by one of them.
    expect(rows.every(({ status, version }) => status === 'canceled' && version === 2)).toBe(true);
    expect(accepted + ends.reduce((sum, { done }) => sum + done, 0)).toBe(80);
  });

  it('stops at its cancelation: what it counted is what it did', async () => {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 200, status: 'failed' });
    const { id } = await post('/runs/retry', { workflow_id: workflow });
    const turn = bulkTurn(world.server);
    const canceled = await post(`/bulk/${id}/cancel`);
    await turn;
    const end = await endOf(world, id);
    expect({ ...canceled, created_at: '' }).toEqual({ ...end, created_at: '' });
    const retries = await world.server.db.query(`SELECT 1 FROM runs WHERE retry_of IS NOT NULL AND workflow_id = $1`, [
      fromPublicId('wf', workflow),
    ]);
    expect(retries.length).toBe(end.done);
  });
});
