import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pruneActionListsJob } from '../../../src/features/actions/action-lists.job.js';
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
  world.reply = ({ url }) => ({ body: { from: url } });
});

const retry = (id: string, body?: object) => world.client.rest('POST', `/runs/${id}/retry`, { body });
const called = () => world.received.map(({ url }) => url);
const failAt = (name: string) => {
  world.reply = ({ url }) => (url === `/${name}` ? { status: 404 } : { body: { from: url } });
};
const setActions = (id: string, actions: readonly object[]) =>
  world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });

/** Three calls, of which the last fails and uses the output of the first. */
async function failedRun(): Promise<{ workflow: string; id: string; actions: object[] }> {
  failAt('c');
  const actions = [world.call('a'), world.call('b'), world.call('c', { body: '{{ steps.a.body.from }}' })];
  const { id: workflow, hook } = await world.workflow(actions);
  const id = await world.fire(hook, { n: 1 });
  expect(await world.ended(id)).toMatchObject({ status: 'failed' });
  world.received.length = 0;
  world.reply = ({ url }) => ({ body: { from: url } });
  return { workflow, id, actions };
}

describe('POST /v1/runs/:id/retry', () => {
  it('makes a new run that copies succeeded steps and executes the others', async () => {
    const { workflow, id } = await failedRun();
    const before = await world.run(id);
    const { status, body } = await retry(id);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ status: 'queued', attempt: 2, retry_of: id, input: { n: 1 }, workflow_id: workflow }),
    ]);
    expect(body).toMatchObject({ trigger_id: before.trigger_id, trigger_type: 'webhook', started_at: null });
    expect(body.id).not.toBe(id);
    const run = await world.ended(body.id);
    expect(run).toMatchObject({
      status: 'succeeded',
      steps: [{ name: 'a' }, { name: 'b' }, { name: 'c', attempt: 1 }],
    });
    expect(run.steps.slice(0, 2)).toEqual(before.steps.slice(0, 2));
    expect(called()).toEqual(['/c']);
    expect(JSON.parse(world.received[0]!.body)).toBe('/a');
    expect(world.received[0]!.headers['idempotency-key']).toBe(`${body.id}-2`);
    expect(await world.run(id)).toEqual(before);
    expect((await world.client.rest('GET', `/workflows/${workflow}`)).body.run_count).toBe(2);
  });

  it('executes a step with a changed action again, and all after it', async () => {
    const { workflow, id, actions } = await failedRun();
    await setActions(workflow, [actions[0]!, world.call('b', { method: 'PUT' }), actions[2]!]);
    const { body } = await retry(id);
    expect(await world.ended(body.id)).toMatchObject({ status: 'succeeded' });
    expect(called()).toEqual(['/b', '/c']);
  });

  it('copies the step of an action that was saved again with its keys in another order', async () => {
    const { workflow, id, actions } = await failedRun();
    const turned = Object.fromEntries(Object.entries((actions[0] as any).config).reverse());
    await setActions(workflow, [{ ...actions[0], config: turned }, ...actions.slice(1)]);
    await world.ended((await retry(id)).body.id);
    expect(called()).toEqual(['/c']);
  });

  it.each([
    ['executes a long action again if its config was changed', 'other', ['/b', '/c']],
    ['copies the step of a long action with the same config', 'long', ['/c']],
  ])('%s', async (_, word, calls) => {
    const actionsWith = (body: string) => [
      world.call('a'),
      world.call('b', { body: body.repeat(5_000) }),
      world.call('c'),
    ];
    failAt('c');
    const { id: workflow, hook } = await world.workflow(actionsWith('long'));
    const id = await world.fire(hook);
    await world.ended(id);
    world.received.length = 0;
    await setActions(workflow, actionsWith(word));
    await world.ended((await retry(id)).body.id);
    expect(called()).toEqual(calls);
  });

  it('executes all again when another action comes first', async () => {
    const { workflow, id, actions } = await failedRun();
    await setActions(workflow, [world.call('new'), ...actions]);
    await world.ended((await retry(id)).body.id);
    expect(called()).toEqual(['/new', '/a', '/b', '/c']);
  });

  it('ends at once when no step is left', async () => {
    const { workflow, id, actions } = await failedRun();
    await setActions(workflow, actions.slice(0, 2));
    const run = await world.ended((await retry(id)).body.id);
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ name: 'a' }, { name: 'b' }] });
    expect(called()).toEqual([]);
  });

  it('copies no steps from the start', async () => {
    const { id } = await failedRun();
    const { status, body } = await retry(id, { from: 'start' });
    expect([status, body]).toEqual([201, expect.objectContaining({ attempt: 2, retry_of: id, input: { n: 1 } })]);
    expect(await world.ended(body.id)).toMatchObject({
      status: 'succeeded',
      steps: [{ attempt: 1 }, { attempt: 1 }, { attempt: 1 }],
    });
    expect(called()).toEqual(['/a', '/b', '/c']);
    expect(world.received.map(({ headers }) => headers['idempotency-key'])).toEqual(
      [0, 1, 2].map((index) => `${body.id}-${index}`),
    );
  });

  it('begins at the failed step by default, and refuses an unknown value', async () => {
    const { id } = await failedRun();
    for (const from of ['failed_step', null]) await world.ended((await retry(id, { from })).body.id);
    const { body } = await world.client.graphql(`mutation { retryRun(id: "${id}", from: null) { id } }`);
    await world.ended(body.data.retryRun.id);
    expect(called()).toEqual(['/c', '/c', '/c']);
    const begun = await world.client.graphql(`mutation { retryRun(id: "${id}", from: START) { id } }`);
    await world.ended(begun.body.data.retryRun.id);
    expect(called()).toHaveLength(6);
    for (const from of ['START', 'b', 1, '']) {
      expect(await retry(id, { from })).toMatchObject({ status: 400, body: { details: [{ field: 'from' }] } });
    }
  });

  it('can be repeated, also for a retry', async () => {
    const { id } = await failedRun();
    failAt('c');
    const second = (await retry(id)).body;
    await world.ended(second.id);
    const third = (await retry(second.id)).body;
    expect(third).toMatchObject({ attempt: 3, retry_of: second.id });
    await world.ended(third.id);
    expect(called()).toEqual(['/c', '/c']);
  });

  it('copies the steps of a canceled run, but not the one during which it was canceled', async () => {
    const actions = [world.call('a'), { name: 'pause', kind: 'delay', config: { seconds: 60 } }, world.call('b')];
    const { hook } = await world.workflow(actions);
    const id = await world.fire(hook);
    await until(async () => (await world.run(id)).steps.length === 2);
    await until(async () => (await world.client.rest('POST', `/runs/${id}/cancel`)).status === 409);
    const { body } = await retry(id);
    await until(async () => (await world.run(body.id)).steps[1]?.status === 'running');
    expect(called()).toEqual(['/a']);
    await until(async () => {
      await world.server.advance(61_000);
      return (await world.run(body.id)).finished_at !== null;
    });
    expect(called()).toEqual(['/a', '/b']);
  });

  it('starts a succeeded and a skipped run over', async () => {
    const { id: workflow, hook } = await world.workflow([world.call('a')]);
    const done = await world.fire(hook);
    await world.ended(done);
    const again = (await retry(done)).body;
    expect(again).toMatchObject({ attempt: 2, retry_of: done });
    await world.ended(again.id);
    expect(called()).toEqual(['/a', '/a']);

    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'paused' } });
    const skipped = await world.fire(hook, { late: true });
    expect((await world.run(skipped)).status).toBe('skipped');
    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'active' } });
    const revived = (await retry(skipped)).body;
    expect(await world.ended(revived.id)).toMatchObject({ status: 'succeeded', input: { late: true } });
    expect(called()).toHaveLength(3);
  });

  it('is 409 while the run has not ended, and if its workflow is deleted or not active', async () => {
    const { id: workflow, hook } = await world.workflow([{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const id = await world.fire(hook);
    const conflict = { status: 409, body: { code: 'conflict' } };
    expect(await retry(id)).toMatchObject(conflict);
    await until(async () => (await world.client.rest('POST', `/runs/${id}/cancel`)).status === 409);
    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'draft' } });
    expect(await retry(id)).toMatchObject(conflict);
    await world.client.rest('DELETE', `/workflows/${workflow}`);
    expect(await retry(id)).toMatchObject(conflict);
    const { body } = await world.client.graphql(`mutation { retryRun(id: "${id}") { id } }`);
    expect(body.errors![0].extensions.code).toBe('CONFLICT');
  });

  it('is 409 if the actions of the run can’t be read for the comparison, unless it starts over', async () => {
    failAt('b');
    // Too long to be remembered.
    const actions = [world.call('a', { body: 'x'.repeat(20_000) }), world.call('b')];
    const { id: workflow, hook } = await world.workflow(actions);
    const id = (await world.ended(await world.fire(hook))).id;
    world.received.length = 0;
    await setActions(workflow, [...actions, world.call('d')]);
    await world.server.db.query(`DELETE FROM action_lists WHERE id = (SELECT actions_id FROM runs WHERE id = $1)`, [
      fromPublicId('run', id),
    ]);
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(called()).toEqual([]);
    const over = await retry(id, { from: 'start' });
    expect([over.status, (await world.ended(over.body.id)).steps.length]).toEqual([201, 2]);
  });

  // The last, as it moves the clock.
  it('copies succeeded steps as long as the run exists, even if its actions were replaced long ago', async () => {
    const { workflow, id, actions } = await failedRun();
    await setActions(workflow, [...actions, world.call('d')]);
    await world.server.advance(80 * 86_400_000);
    await pruneActionListsJob(world.server.db, world.server.clock).run();
    const run = await world.ended((await retry(id)).body.id);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(called()).toEqual(['/c', '/d']);
  });
});
