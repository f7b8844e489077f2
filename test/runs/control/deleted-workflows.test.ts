import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { pruneRunsOfDeletedWorkflowsJob } from '../../../src/features/runs/retention/deleted-workflows.job.js';
import { gauge } from '../../graphql/subscriptions/changes.js';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';
import { waiting, waitsOf } from '../../waits/wait-world.js';

const DAY_MS = 86_400_000;
const PAUSE = { name: 'pause', kind: 'delay', config: { seconds: 3_600 } };
const GONE = { status: 'canceled', status_reason: 'workflow_deleted', error: null };

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: { ok: true } });
});

const remove = (id: string) => world.client.rest('DELETE', `/workflows/${id}`);
const prune = () => pruneRunsOfDeletedWorkflowsJob(world.server.db, world.server.clock).run();

describe('deleting a workflow', () => {
  it('ends a waiting run at once, and answers requests that wait for it', async () => {
    const { id, hook } = await world.workflow([PAUSE, world.call('after')]);
    const run = await world.fire(hook);
    await until(async () => (await world.run(run)).steps.length === 1);
    await until(async () => {
      const [row] = await world.server.db.query(`SELECT resume_at AS at FROM runs WHERE id = $1`, [
        fromPublicId('run', run),
      ]);
      return row!.at !== null;
    });
    const answer = world.client.rest('GET', `/runs/${run}?wait=30`);
    await until(async () => (await gauge(world.server, 'run_listeners')) === 1);
    await remove(id);
    const { body } = await answer;
    expect(body).toMatchObject({ ...GONE, steps: [{ name: 'pause', status: 'failed', error: { code: 'canceled' } }] });
    await world.server.advance(3_601_000);
    await world.ended(await world.fire((await world.workflow([])).hook));
    expect(await world.run(run)).toEqual(body);
    expect(world.received).toHaveLength(0);
  });

  it('waits for a worker that is claiming a run, so that none starts after the deletion', async () => {
    const { id, hook } = await world.workflow([PAUSE]);
    const run = await world.fire(hook);
    const uuid = fromPublicId('run', run);
    const { db } = world.server;
    const waits = `SELECT 1 FROM runs WHERE id = $1 AND resume_at IS NOT NULL`;
    await until(async () => (await db.query(waits, [uuid])).length === 1);
    let removal: ReturnType<typeof remove> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE`, [uuid]);
      removal = remove(id);
      const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await db.query(blocked)).length > 0);
    });
    expect((await removal!).status).toBe(204);
    expect(await world.run(run)).toMatchObject(GONE);
  });

  it('lets the running step end, and starts no other', async () => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const { id, hook } = await world.workflow([world.call('slow'), world.call('after')]);
    const run = await world.fire(hook);
    await until(() => world.received.length === 1);
    await remove(id);
    expect(await world.run(run)).toMatchObject({ status: 'running', workflow_id: id, trigger_id: null });
    held.resolve({});
    expect(await world.ended(run)).toMatchObject({ ...GONE, steps: [{ name: 'slow', status: 'succeeded' }] });
    expect(world.received).toHaveLength(1);
  });

  it('ends a run that starts to wait at the same time', async () => {
    const answer = Promise.withResolvers<object>();
    world.reply = () => answer.promise;
    const { id, hook } = await world.workflow([world.call('slow')]);
    const run = await world.fire(hook);
    await until(() => world.received.length === 1);
    const { db } = world.server;
    await db.transaction(async (tx) => {
      await tx.query(`DELETE FROM workflows WHERE id = $1`, [fromPublicId('wf', id)]);
      answer.resolve({ status: 503, headers: { 'retry-after': '3600' } });
      const saved = `SELECT 1 FROM runs WHERE id = $1 AND resume_at IS NOT NULL UNION ALL
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await db.query(saved, [fromPublicId('run', run)])).length > 0);
    });
    expect(await world.ended(run)).toMatchObject(GONE);
  });
});

describe('the runs of a workflow that is deleted', () => {
  it('never start, also when there are too many to end at once', async () => {
    const idle = await RunWorld.open({ env: { ROLES: 'api' } });
    try {
      const { id, hook } = await idle.workflow([idle.call('never')]);
      const run = await idle.fire(hook);
      await idle.server.db.query(
        `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at)
         SELECT uuidv7, r.account_id, r.workflow_id, 'webhook', 'queued', r.created_at FROM runs r,
           LATERAL (SELECT gen_random_uuid() AS uuidv7 FROM generate_series(1, 200)) many WHERE r.id = $1`,
        [fromPublicId('run', run)],
      );
      expect((await idle.client.rest('DELETE', `/workflows/${id}`)).status).toBe(204);
      const [left] = await idle.server.db.query(
        `SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                count(*) FILTER (WHERE status_reason = 'workflow_deleted' AND version = 2) AS ended FROM runs`,
      );
      expect(left).toEqual({ queued: 1, ended: 200 });
    } finally {
      await idle.close();
    }
  });

  it('end with their waits also beyond those', async () => {
    const { id, hook } = await world.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    // 500 further runs that wait are before it in the order of ids.
    const { db } = world.server;
    await db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, started_at)
       SELECT overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, account_id, workflow_id, 'webhook',
         'waiting', created_at, started_at FROM runs, generate_series(1, 500) n WHERE id = $1`,
      [fromPublicId('run', run)],
    );
    await remove(id);
    expect(await world.ended(run)).toMatchObject(GONE);
    expect(await waitsOf(world, run)).toMatchObject([{ id: wait.id, status: 'canceled' }]);
    const open = async () =>
      db.query(`SELECT 1 FROM runs WHERE workflow_id = $1 AND finished_at IS NULL LIMIT 1`, [fromPublicId('wf', id)]);
    await until(async () => (await open()).length === 0);
    const [marked] = await db.query(`SELECT count(*)::int AS total FROM deleted_workflows WHERE has_open_runs`);
    expect(marked).toEqual({ total: 0 });
  });
});

describe('the runs of a deleted workflow', () => {
  it('are readable for 30 days, then deleted with their steps, in any number; others stay', async () => {
    const [gone, kept] = [await world.workflow([world.call('a')]), await world.workflow([world.call('a')])];
    const [run, other] = [await world.fire(gone.hook), await world.fire(kept.hook)];
    for (const id of [run, other]) await world.ended(id);
    await world.server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at)
       SELECT gen_random_uuid(), account_id, workflow_id, trigger_type, status, created_at
       FROM runs, generate_series(1, 2500) WHERE id = $1`,
      [fromPublicId('run', run)],
    );
    const count = async (table: string, column: string, id: string, prefix: 'wf' | 'run') => {
      const [row] = await world.server.db.query<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE ${column} = $1`,
        [fromPublicId(prefix, id)],
      );
      return row!.count;
    };
    await world.server.advance(10 * DAY_MS);
    await remove(gone.id);
    await world.server.advance(30 * DAY_MS - 3_600_000);
    await prune();
    expect(await world.run(run)).toMatchObject({ status: 'succeeded', workflow_id: gone.id });
    expect((await world.client.rest('GET', `/runs?workflow_id=${gone.id}`)).body.meta.total).toBe(2_501);

    await world.server.advance(3_600_000);
    await Promise.all([prune(), prune()]);
    // The service has the same job, which may have the workflow at this moment: then these leave it alone.
    await until(async () => (await count('deleted_workflows', 'workflow_id', gone.id, 'wf')) === 0);
    expect((await world.client.rest('GET', `/runs/${run}`)).status).toBe(404);
    expect(await count('runs', 'workflow_id', gone.id, 'wf')).toBe(0);
    expect(await count('steps', 'run_id', run, 'run')).toBe(0);
    expect(await world.run(other)).toMatchObject({ status: 'succeeded', steps: [{ name: 'a' }] });
  });

  it('deletes the runs of an account while another keeps one of its own locked', async () => {
    const client = new Client(world.server.url, await world.server.key('read-write', 'b'));
    const other = Object.assign(Object.create(world) as RunWorld, { client });
    const flows = [await world.workflow([]), await other.workflow([])];
    const [held, free] = [await world.fire(flows[0]!.hook), await other.fire(flows[1]!.hook)];
    await world.ended(held);
    await other.ended(free);
    await remove(flows[0]!.id);
    await client.rest('DELETE', `/workflows/${flows[1]!.id}`);
    await world.server.advance(30 * DAY_MS);
    await world.server.db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE`, [fromPublicId('run', held)]);
      await prune();
      await until(async () => (await client.rest('GET', `/runs/${free}`)).status === 404);
    });
    expect((await world.client.rest('GET', `/runs/${held}`)).status).toBe(200);
  });
});
