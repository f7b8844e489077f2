import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { bulkTurn } from './bulk-turn.js';
import { endOf, heard, storeRuns } from './bulk-world.js';

let world: RunWorld;
let worker: TestServer | undefined;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' } });
});
afterAll(async () => {
  await worker?.close();
  await world.close();
});

const startWorker = async () => {
  const { database, clock } = world.server;
  worker ??= await startTestServer({ database, clock, env: { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' } });
};
const stopWorker = async () => {
  await worker?.close();
  worker = undefined;
};
const post = async (path: string, body: object = {}) => (await world.client.rest('POST', path, { body })).body;
const retriesOf = (workflow: string) =>
  world.server.db.query<{ of: string; n: number }>(
    `SELECT retry_of AS of, count(*) AS n FROM runs WHERE workflow_id = $1 AND retry_of IS NOT NULL GROUP BY 1`,
    [fromPublicId('wf', workflow)],
  );

describe('a bulk retry', () => {
  it('retries each run that matched once, and subscribers hear each state in order', async () => {
    const { id: workflow } = await world.workflow([
      { name: 'on', kind: 'condition', config: { path: 'trigger.body', operator: 'exists' } },
    ]);
    const failed = await storeRuns(world, workflow, { count: 50, status: 'failed' });
    const { id, matched } = await post('/runs/retry', { workflow_id: workflow });
    const listening = heard(world, id);
    await startWorker();
    expect(await endOf(world, id)).toMatchObject({ kind: 'retry', status: 'done', matched: 50, done: 50, failed: 0 });
    expect(matched).toBe(50);
    const retries = await retriesOf(workflow);
    expect(retries.map(({ of }) => of).sort()).toEqual([...failed].sort());
    expect(retries.every(({ n }) => n === 1)).toBe(true);
    const states = await listening;
    expect(states[0]).toMatchObject({ id, kind: 'RETRY', status: 'RUNNING', matched: 50, done: 0 });
    expect(states.map(({ done }) => done)).toEqual([0, 20, 40, 50]);
    expect(states.at(-1)).toMatchObject({ status: 'DONE' });
    // A later subscriber hears the end at once.
    expect(await heard(world, id)).toEqual([states.at(-1)]);
    await stopWorker();
  });

  it('counts the runs that may not be retried', async () => {
    const { id: workflow } = await world.workflow([]);
    const { id: paused } = await world.workflow([]);
    const [gone] = await storeRuns(world, workflow, { count: 3, status: 'failed', code: 'mixed' });
    await storeRuns(world, paused, { count: 2, status: 'failed', code: 'mixed' });
    const { id } = await post('/runs/retry', { error_code: 'mixed' });
    await world.client.rest('PUT', `/workflows/${paused}`, { body: { status: 'paused' } });
    await world.server.db.query(`DELETE FROM runs WHERE id = $1`, [gone]);
    await startWorker();
    expect(await endOf(world, id)).toMatchObject({ status: 'done', matched: 5, done: 2, failed: 3 });
    await stopWorker();
  });

  it('of nothing is done at once', async () => {
    const { id: workflow } = await world.workflow([]);
    const { id } = await post('/runs/retry', { workflow_id: workflow });
    expect((await world.client.rest('GET', `/bulk/${id}`)).body).toMatchObject({ status: 'done', matched: 0 });
    expect(await heard(world, id)).toMatchObject([{ status: 'DONE' }]);
  });

  it('is overtaken by runs that are fired after it, of its account and of others', async () => {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 60, status: 'failed' });
    const { id } = await post('/runs/retry', { workflow_id: workflow });
    // The batches alone, without the worker that executes the runs.
    await bulkTurn(world.server);
    expect((await world.client.rest('GET', `/bulk/${id}`)).body).toMatchObject({ status: 'done', done: 60 });
    const { hook } = await world.workflow([]);
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'neighbour'));
    const fresh: string[] = [];
    for (let run = 0; run < 30; run += 1) fresh.push(await world.fire(hook, run));
    const theirs = (await other.rest('POST', '/workflows', { body: { name: 'theirs', status: 'active' } })).body.id;
    await other.rest('POST', '/triggers', { body: { workflow_id: theirs, type: 'manual' } });
    fresh.push((await other.rest('POST', `/workflows/${theirs}/runs`, { body: {} })).body.id);
    const order = await world.server.db.query<{ id: string; isRetry: boolean }>(
      `SELECT j.id, r.retry_of IS NOT NULL AS "isRetry" FROM pgboss.job j JOIN runs r ON r.id = j.id
       WHERE j.state = 'created' ORDER BY j.priority DESC, j.created_on`,
    );
    expect(order.filter(({ isRetry }) => isRetry)).toHaveLength(60);
    expect(order.findIndex(({ isRetry }) => isRetry)).toBeGreaterThanOrEqual(fresh.length);
    expect(order.slice(-60).every(({ isRetry }) => isRetry)).toBe(true);
  });
});

describe('a bulk cancelation', () => {
  it('cancels each open run once, by the caller that requested it', async () => {
    const { id: workflow, hook } = await world.workflow([]);
    const runs: string[] = [];
    for (let run = 0; run < 5; run += 1) runs.push(await world.fire(hook, run));
    const { id, matched } = await post('/runs/cancel', { workflow_id: workflow });
    await post(`/runs/${runs[0]}/cancel`);
    await bulkTurn(world.server);
    const end = (await world.client.rest('GET', `/bulk/${id}`)).body;
    expect([matched, end.status, end.done, end.failed]).toEqual([5, 'done', 4, 1]);
    const query = '{ runs(status: CANCELED) { items { id canceledBy { kind } } } }';
    const canceled = (await world.client.graphql(query)).body.data.runs.items;
    for (const run of runs) expect(canceled).toContainEqual({ id: run, canceledBy: { kind: 'API_KEY' } });
  });

  it('stops when it is canceled, and leaves the runs that are left', async () => {
    const { id: workflow } = await world.workflow([]);
    const queued = await storeRuns(world, workflow, { count: 3, status: 'queued' });
    const { id } = await post('/runs/cancel', { workflow_id: workflow });
    const canceled = await post(`/bulk/${id}/cancel`);
    expect(canceled).toMatchObject({ id, kind: 'cancel', status: 'canceled', matched: 3, done: 0, failed: 0 });
    expect(await post(`/bulk/${id}/cancel`)).toEqual(canceled);
    await bulkTurn(world.server);
    const rows = await world.server.db.query<{ status: string }>(`SELECT status FROM runs WHERE id = ANY($1)`, [
      queued,
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
    expect(await heard(world, id)).toMatchObject([{ status: 'CANCELED' }]);
  });
});
