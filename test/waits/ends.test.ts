import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { pathOf, waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const DAY = 86_400_000;
const PAID = { name: 'paid', kind: 'wait_for_callback', config: {} };

const post = (url: string, body: unknown) => world.client.send('POST', pathOf(url), { body: JSON.stringify(body) });

describe('deleting a workflow', () => {
  it('cancels its runs that wait, and their waits', async () => {
    const { id, hook } = await world.workflow([PAID]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    await world.client.rest('DELETE', `/workflows/${id}`);
    expect(await world.run(run)).toMatchObject({ status: 'canceled', status_reason: 'workflow_deleted' });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'canceled' }]);
    expect((await post(wait.url, 1)).status).toBe(410);
  });
});

describe.each(['paused', 'archived'])('a workflow that is %s', (status) => {
  it('goes on with its waits', async () => {
    const { id, hook } = await world.workflow([PAID]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    await world.client.rest('PUT', `/workflows/${id}`, { body: { status } });
    expect((await world.client.rest('GET', `/workflows/${id}`)).body.status).toBe(status);
    expect((await post(wait.url, 1)).status).toBe(202);
    expect((await world.ended(run)).status).toBe('succeeded');
  });
});

describe('a run that ends before it reaches its waits', () => {
  it('leaves their URLs behind, which are gone, and no wait', async () => {
    world.reply = ({ url }) => (url === '/first' ? { status: 404, body: {} } : { body: {} });
    const first = world.call('first', { body: { paid: '{{ waits.paid.url }}', ask: '{{ waits.ask.url }}' } });
    const ask = { name: 'ask', kind: 'wait_for_approval', config: { title: 'Ship it' } };
    const run = await world.fire((await world.workflow([first, PAID, ask])).hook);
    expect((await world.ended(run)).status).toBe('failed');
    world.reply = () => ({ body: {} });
    const sent = world.received.findLast(({ headers }) => headers['idempotency-key'] === `${run}-0`)!;
    const urls = JSON.parse(sent.body) as { paid: string; ask: string };
    expect(await post(urls.paid, 1)).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect((await world.client.send('GET', pathOf(urls.ask))).status).toBe(410);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const decided = await world.client.send('POST', pathOf(urls.ask), { body: 'decision=approved', headers });
    expect(decided.status).toBe(410);
    expect(await waitsOf(world, run)).toEqual([]);
    const uuid = fromPublicId('run', run);
    expect(await world.server.db.query(`SELECT 1 FROM wait_changes WHERE run_id = $1`, [uuid])).toEqual([]);
  });
});

describe('a retried run', () => {
  const refuse = { status: 404, body: {} };

  it('makes a new wait for a step that it executes again', async () => {
    const { hook } = await world.workflow([{ ...PAID, config: { timeout_seconds: 60 } }]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    expect((await world.client.rest('POST', `/runs/${run}/retry`)).status).toBe(409);
    await world.server.advance(61_000);
    expect(await world.ended(run)).toMatchObject({ status: 'failed', error: { code: 'wait_expired' } });
    expect((await post(wait.url, 1)).status).toBe(410);
    const retried = (await world.client.rest('POST', `/runs/${run}/retry`)).body.id;
    const [again] = await waiting(world, retried);
    expect(again.id).not.toBe(wait.id);
    expect(again.url).not.toBe(wait.url);
    await post(again.url, 'second');
    expect((await world.ended(retried)).steps[0].output).toEqual({ body: 'second' });
  });

  it('keeps the URL and the answer of a step that is carried over', async () => {
    const { hook } = await world.workflow([PAID, world.call('last', { body: { url: '{{ waits.paid.url }}' } })]);
    world.reply = ({ url }) => (url === '/last' ? refuse : { body: {} });
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    await post(wait.url, 'once');
    expect((await world.ended(run)).status).toBe('failed');
    world.reply = () => ({ body: {} });
    const retried = (await world.client.rest('POST', `/runs/${run}/retry`)).body.id;
    expect((await world.ended(retried)).status).toBe('succeeded');
    const sent = world.received.findLast(({ headers }) => headers['idempotency-key'] === `${retried}-1`)!;
    expect(JSON.parse(sent.body)).toEqual({ url: wait.url });
    expect(await waitsOf(world, retried)).toEqual([]);
    expect((await post(wait.url, 'once')).status).toBe(202);
  });
});

describe('the time limit of a run', () => {
  it('does not count the time that it waits', async () => {
    const { hook } = await world.workflow([
      { ...PAID, config: { timeout_seconds: 604_800 } },
      { name: 'more', kind: 'wait_for_callback', config: { timeout_seconds: 604_800 } },
      { name: 'end', kind: 'delay', config: { seconds: 1 } },
    ]);
    const run = await world.fire(hook);
    const [first] = await waiting(world, run);
    await world.server.advance(5 * DAY);
    await post(first.url, 1);
    await until(async () => (await waitsOf(world, run)).length === 2);
    const [second] = await waiting(world, run);
    await world.server.advance(5 * DAY);
    await post(second.url, 2);
    await until(async () => (await world.run(run)).steps.length === 3);
    await world.server.advance(2_000);
    expect((await world.ended(run)).status).toBe('succeeded');
  });
});

describe('the ceiling of pending waits', () => {
  it('fails the step beyond 100,000', async () => {
    const { hook } = await world.workflow([PAID]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const set = (pending: number) =>
      world.server.db.query(
        `UPDATE wait_counters c SET pending = $2 FROM waits w WHERE w.id = $1 AND c.account_id = w.account_id`,
        [fromPublicId('wait', wait.id), pending],
      );
    await set(99_999);
    const last = await world.fire(hook);
    await waiting(world, last);
    const beyond = await world.ended(await world.fire(hook));
    expect(beyond).toMatchObject({ status: 'failed', error: { code: 'too_many_waits' } });
    await post(wait.url, 1);
    await world.ended(run);
    await waiting(world, await world.fire(hook));
    await set(1);
  });
});

describe('an answer that is larger than an output may be', () => {
  it('is cut, and lists leave it out', async () => {
    const { hook } = await world.workflow([PAID]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    expect((await post(wait.url, 'x'.repeat(300_000))).status).toBe(202);
    const [step] = (await world.ended(run)).steps;
    expect(step.output).toMatchObject({ truncated: true });
    const single = (await world.client.rest('GET', `/waits/${wait.id}`)).body;
    expect(single.answer).toEqual(step.output);
    expect((await waitsOf(world, run))[0]).toMatchObject({ answer: null, answer_omitted: true });
  });
});
