import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: { ok: true } });
});

describe('a run', () => {
  it('executes its actions in order, with the outputs of earlier ones', async () => {
    world.reply = ({ url }) => ({ body: { id: `of ${url}` } });
    const { hook } = await world.workflow([
      world.call('first', { body: { order: '{{ trigger.body.order.id }}', run: '{{ run.id }}' } }),
      world.call('second', {
        body: { text: 'got {{ steps.first.body.id }}' },
        headers: { 'X-Type': '{{ trigger.type }}' },
      }),
    ]);
    const id = await world.fire(hook, { order: { id: 7 } });
    const run = await world.ended(id);
    expect(run).toMatchObject({ status: 'succeeded', error: null, attempt: 1 });
    expect(run.steps).toMatchObject([
      { index: 0, name: 'first', kind: 'http_request', status: 'succeeded', attempt: 1, error: null },
      {
        index: 1,
        name: 'second',
        status: 'succeeded',
        attempt: 1,
        output: { status: 200, body: { id: 'of /second' } },
      },
    ]);
    const [first, second] = world.received;
    expect(JSON.parse(first!.body)).toEqual({ order: 7, run: id });
    expect(JSON.parse(second!.body)).toEqual({ text: 'got of /first' });
    expect(second!.headers).toMatchObject({
      'x-type': 'webhook',
      'idempotency-key': `${id}-1`,
      'workflow-hops': '1',
      'content-type': 'application/json',
    });
  });

  it('succeeds at once without actions', async () => {
    const { hook } = await world.workflow([]);
    expect(await world.ended(await world.fire(hook))).toMatchObject({ status: 'succeeded', steps: [] });
  });

  it('fails if no key opens its actions, and does not delay other runs', async () => {
    const [lost, other] = [await world.workflow([world.call('never')]), await world.workflow([world.call('other')])];
    const uuid = `SELECT actions_id AS id FROM workflows WHERE id = $1`;
    const [list] = await world.server.db.query<{ id: string }>(uuid, [fromPublicId('wf', lost.id)]);
    await world.server.db.query(`UPDATE action_lists SET body = replace(body, 'v1.', 'v1.0') WHERE id = $1`, [
      list!.id,
    ]);
    const runs = await Promise.all([lost, other].map(({ hook }) => world.fire(hook)));
    expect(await world.ended(runs[0]!)).toMatchObject({
      status: 'failed',
      error: { code: 'actions_unreadable' },
      steps: [],
    });
    expect(await world.ended(runs[1]!)).toMatchObject({ status: 'succeeded' });
    expect(world.received.map(({ url }) => url)).toEqual(['/other']);
    expect(await world.server.db.query(`SELECT 1 FROM pgboss.job WHERE name = 'runs'`)).toEqual([]);
  });

  it('ends as succeeded if a condition is false', async () => {
    const { hook } = await world.workflow([
      {
        name: 'large',
        kind: 'condition',
        config: { path: 'trigger.body.total', operator: 'greater_than', value: 100 },
      },
      world.call('after'),
    ]);
    const small = await world.ended(await world.fire(hook, { total: 5 }));
    expect(small).toMatchObject({ status: 'succeeded', steps: [{ name: 'large', output: { holds: false } }] });
    expect(world.received).toHaveLength(0);
    const large = await world.ended(await world.fire(hook, { total: 500 }));
    expect(large.steps).toHaveLength(2);
    expect(world.received).toHaveLength(1);
  });

  it('fails with the first step that fails permanently, and says why', async () => {
    world.reply = () => ({ status: 404, body: { nothing: true } });
    const { hook } = await world.workflow([world.call('lost'), world.call('never')]);
    const run = await world.ended(await world.fire(hook));
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'http_404' },
      steps: [{ status: 'failed', attempt: 1, error: { code: 'http_404' }, output: { status: 404 } }],
    });
    expect(world.received).toHaveLength(1);
  });

  it('fails with the name of a path without a value', async () => {
    const { hook } = await world.workflow([world.call('missing', { body: '{{ trigger.body.order.id }}' })]);
    const run = await world.ended(await world.fire(hook, {}));
    expect(run.error).toEqual({ code: 'missing_path', message: 'There is no trigger.body.order.id.' });
  });

  it('retries a failed step up to five attempts, with growing delays', async () => {
    world.reply = () => ({ status: 503 });
    const { hook } = await world.workflow([world.call('down')]);
    const id = await world.fire(hook);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await until(() => world.received.length === attempt);
      await until(async () => (await waiting(id)) !== null);
      await world.server.advance(200_000);
    }
    const run = await world.ended(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'http_503' }, steps: [{ attempt: 5 }] });
    expect(world.received).toHaveLength(5);
    expect(new Set(world.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('waits as long as Retry-After asks', async () => {
    world.reply = () => (world.received.length === 1 ? { status: 429, headers: { 'retry-after': '600' } } : {});
    const { hook } = await world.workflow([world.call('busy')]);
    const id = await world.fire(hook);
    await until(async () => (await waiting(id)) !== null);
    const left = (await waiting(id))!.getTime() - world.server.clock.now().getTime();
    expect(left).toBeGreaterThan(590_000);
    await world.server.advance(601_000);
    expect(await world.ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 2 }] });
  });

  it('takes no slot of a worker while it is delayed', async () => {
    const { hook } = await world.workflow([
      { name: 'pause', kind: 'delay', config: { seconds: 3_600 } },
      world.call('after'),
    ]);
    const id = await world.fire(hook);
    await until(async () => (await waiting(id)) !== null);
    expect(await world.run(id)).toMatchObject({ status: 'running', steps: [{ name: 'pause', status: 'running' }] });
    await world.server.advance(3_601_000);
    const run = await world.ended(id);
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }, { name: 'after' }] });
  });

  it('is canceled, and never started, when its workflow is deleted', async () => {
    const { id: workflow, hook } = await world.workflow([
      { name: 'pause', kind: 'delay', config: { seconds: 60 } },
      world.call('after'),
    ]);
    const id = await world.fire(hook);
    await until(async () => (await waiting(id)) !== null);
    await world.client.rest('DELETE', `/workflows/${workflow}`);
    await world.server.advance(61_000);
    expect(await world.ended(id)).toMatchObject({ status: 'canceled', status_reason: 'workflow_deleted' });
    expect(world.received).toHaveLength(0);
  });

  it('keeps the actions that it was queued with', async () => {
    const { id: workflow, hook } = await world.workflow([
      { name: 'pause', kind: 'delay', config: { seconds: 60 } },
      world.call('old'),
    ]);
    const id = await world.fire(hook);
    await until(async () => (await waiting(id)) !== null);
    await world.client.rest('PUT', `/workflows/${workflow}/actions`, { body: { actions: [world.call('new')] } });
    await world.server.advance(61_000);
    await world.ended(id);
    expect(world.received.map(({ url }) => url)).toEqual(['/old']);
  });
});

async function waiting(id: string): Promise<Date | null> {
  const [row] = await world.server.db.query<{ resume_at: Date | null }>(
    `SELECT resume_at FROM runs ORDER BY id DESC LIMIT 1`,
  );
  expect(id).toMatch(/^run_/);
  return row!.resume_at;
}
