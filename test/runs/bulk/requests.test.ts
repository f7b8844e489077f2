import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_MATCHED } from '../../../src/features/runs/bulk/bulk-items.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { storeRuns } from './bulk-world.js';

let world: RunWorld;
let workflow: string;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' }, patience: 60_000 });
  workflow = (await world.workflow([])).id;
  await storeRuns(world, workflow, { count: 3, status: 'failed', code: 'http_error' });
  await storeRuns(world, workflow, { count: 2, status: 'failed', code: 'timeout' });
  await storeRuns(world, workflow, { count: 4, status: 'canceled' });
  await storeRuns(world, workflow, { count: 5, status: 'succeeded' });
  await storeRuns(world, workflow, { count: 6, status: 'skipped' });
  await storeRuns(world, workflow, { count: 7, status: 'queued' });
});
afterAll(() => world.close());

const post = (path: string, body: object, headers = {}) => world.client.rest('POST', path, { body, headers });
const matchedBy = async (path: string, body: object) =>
  (await post(path, { workflow_id: workflow, ...body })).body.matched;

describe('the runs of a bulk operation', () => {
  it('are the failed and canceled ones for a retry from the failed step', async () => {
    expect(await matchedBy('/runs/retry', {})).toBe(9);
    expect(await matchedBy('/runs/retry', { from: 'failed_step' })).toBe(9);
    expect(await matchedBy('/runs/retry', { status: 'failed' })).toBe(5);
    expect(await matchedBy('/runs/retry', { status: 'succeeded' })).toBe(0);
  });

  it('are all ended ones for a retry from the start', async () => {
    expect(await matchedBy('/runs/retry', { from: 'start' })).toBe(20);
    expect(await matchedBy('/runs/retry', { from: 'start', status: 'succeeded' })).toBe(5);
    expect(await matchedBy('/runs/retry', { from: 'start', status: 'queued' })).toBe(0);
  });

  it('are the open ones for a cancelation', async () => {
    expect(await matchedBy('/runs/cancel', {})).toBe(7);
    expect(await matchedBy('/runs/cancel', { status: 'failed' })).toBe(0);
  });

  it('fit every filter', async () => {
    expect(await matchedBy('/runs/retry', { error_code: 'http_error' })).toBe(3);
    expect(await matchedBy('/runs/retry', { error_code: 'http' })).toBe(0);
    const now = world.server.clock.now().getTime();
    const at = (ms: number) => new Date(now + ms).toISOString();
    expect(await matchedBy('/runs/retry', { created_before: at(-3_600_000) })).toBe(0);
    expect(await matchedBy('/runs/retry', { created_after: at(-3_600_000), created_before: at(60_000) })).toBe(9);
  });

  it('are fixed at the request, in rows', async () => {
    const { body } = await post('/runs/retry', { workflow_id: workflow, error_code: 'timeout' });
    await storeRuns(world, workflow, { count: 1, status: 'failed', code: 'timeout' });
    const rows = await world.server.db.query(`SELECT 1 FROM bulk_items WHERE bulk_id = $1`, [
      fromPublicId('bulk', body.id),
    ]);
    expect([body.matched, rows.length]).toEqual([2, 2]);
    expect((await world.client.rest('GET', `/bulk/${body.id}`)).body).toEqual({
      id: body.id,
      kind: 'retry',
      status: 'running',
      matched: 2,
      done: 0,
      failed: 0,
      created_at: expect.any(String),
    });
  });

  it('are the same for a repeated request with an Idempotency-Key', async () => {
    const [first, second] = [
      await post('/runs/cancel', { workflow_id: workflow }, { 'idempotency-key': 'once' }),
      await post('/runs/cancel', { workflow_id: workflow }, { 'idempotency-key': 'once' }),
    ];
    expect(second.body).toEqual(first.body);
  });

  it('are counted, and too many of them refused', async () => {
    const { id } = await world.workflow([]);
    await world.server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, finished_at)
       SELECT gen_random_uuid(), account_id, id, 'manual', 'failed', created_at, created_at FROM workflows, generate_series(1, $2::integer)
       WHERE id = $1`,
      [fromPublicId('wf', id), MAX_MATCHED],
    );
    const all = await post('/runs/retry', { workflow_id: id });
    expect([all.status, all.body.matched]).toEqual([202, MAX_MATCHED]);
    await storeRuns(world, id, { count: 1, status: 'failed' });
    const { status, body } = await post('/runs/retry', { workflow_id: id });
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_error', 'created_after']);
    expect((await post(`/bulk/${all.body.id}/cancel`, {})).body).toMatchObject({ status: 'canceled', done: 0 });
    expect(
      await world.server.db.query(`SELECT 1 FROM bulk_items WHERE bulk_id = $1`, [fromPublicId('bulk', all.body.id)]),
    ).toEqual([]);
  });
});

describe('a bulk request', () => {
  it.each(['/runs/retry', '/runs/cancel'])('of %s needs a filter', async (path) => {
    for (const body of [{}, { workflow_id: null }]) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    }
  });

  it.each(['/runs/retry', '/runs/cancel'])('of %s with a filter of null is refused, not widened', async (path) => {
    for (const name of ['workflow_id', 'trigger_id', 'created_after', 'created_before', 'error_code']) {
      const { status, body } = await post(path, { status: 'failed', [name]: null });
      expect([status, body.details?.[0].field]).toEqual([400, name]);
    }
    expect((await post(path, { workflow_id: workflow, status: null })).status).toBe(400);
    const mutation = path === '/runs/retry' ? 'retryRuns' : 'cancelRuns';
    const query = `mutation ($id: ID) { ${mutation}(workflowId: $id, isTest: null) { id } }`;
    const { body } = await world.client.graphql(query, { id: workflow });
    expect(body.errors![0]!.extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'isTest' }] });
  });

  it.each(['/runs/retry', '/runs/cancel'])('of %s with an unknown field is refused', async (path) => {
    for (const extra of [{ workflow: 'wf_1' }, { statuses: ['failed'] }, { x: 1 }]) {
      const answer = await post(path, { status: 'failed', ...extra });
      expect([answer.status, answer.body.details[0].field]).toEqual([400, Object.keys(extra)[0]]);
    }
    expect((await post(`${path}?status=failed`, { status: 'failed' })).status).toBe(400);
  });

  it('with an id of another account or of nothing is refused', async () => {
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    for (const path of ['/runs/retry', '/runs/cancel']) {
      expect((await other.rest('POST', path, { body: { workflow_id: workflow } })).status).toBe(401);
      expect((await other.rest('POST', path, { body: { workflow_id: 'wf_1' } })).body).toMatchObject({
        code: 'not_found',
        details: [{ field: 'workflow_id' }],
      });
      expect((await other.rest('POST', path, { body: { status: 'failed', from: undefined } })).body.matched).toBe(0);
    }
  });

  it('needs a key that may write', async () => {
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    const { body } = await post('/runs/cancel', { workflow_id: workflow });
    for (const path of ['/runs/retry', '/runs/cancel', `/bulk/${body.id}/cancel`])
      expect((await reader.rest('POST', path, { body: { status: 'failed' } })).status).toBe(403);
    expect((await reader.rest('GET', `/bulk/${body.id}`)).body.id).toBe(body.id);
  });

  it('is the same over GraphQL', async () => {
    const query = `mutation ($id: ID!) {
      retryRuns(workflowId: $id, errorCode: "http_error", from: START) { id kind status matched done failed }
      cancelRuns(workflowId: $id) { kind matched }
    }`;
    const { data } = (await world.client.graphql(query, { id: workflow })).body;
    expect(data.retryRuns).toMatchObject({ kind: 'RETRY', status: 'RUNNING', matched: 3, done: 0, failed: 0 });
    expect(data.cancelRuns).toEqual({ kind: 'CANCEL', matched: 7 });
    const read = `query ($id: ID!) { bulkOperation(id: $id) { id matched } node(id: $id) { id } }`;
    const found = (await world.client.graphql(read, { id: data.retryRuns.id })).body.data;
    expect(found).toEqual({ bulkOperation: { id: data.retryRuns.id, matched: 3 }, node: { id: data.retryRuns.id } });
    const mistyped = await world.client.graphql(`mutation { cancelRuns(workflow: "x") { id } }`);
    expect(mistyped.status).toBe(400);
    const none = await world.client.graphql(`mutation { cancelRuns { id } }`);
    expect(none.body.errors![0].extensions.code).toBe('VALIDATION_ERROR');
  });
});

describe('the list of runs', () => {
  it('has the filter error_code', async () => {
    const list = await world.client.rest('GET', `/runs?workflow_id=${workflow}&error_code=http_error`);
    expect(list.body.meta.total).toBe(3);
    expect(new Set(list.body.data.map((run: any) => run.error.code))).toEqual(new Set(['http_error']));
    expect((await world.client.rest('GET', `/runs?error_code=`)).status).toBe(400);
  });
});
