import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { awaitConnection, openConnectionWorld } from './connection-world.js';
import { pathOf, waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await openConnectionWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: {} });
});

const PAID = { name: 'paid', kind: 'wait_for_callback', config: { timeout_seconds: 60 } };
const ASK = { name: 'ask', kind: 'wait_for_approval', config: { title: 'Ship it' } };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const tell = (name: string) => world.call('tell', { body: { url: `{{ waits.${name}.url }}` } });
const post = (url: string, body: unknown) => world.client.send('POST', pathOf(url), { body: JSON.stringify(body) });

/** The URLs that the action `tell` has passed on, in order. */
const told = (): string[] =>
  world.received.filter(({ url }) => url === '/tell').map(({ body }) => (JSON.parse(body) as { url: string }).url);

async function canceled(run: string): Promise<void> {
  await world.client.rest('POST', `/runs/${run}/cancel`);
  expect((await world.ended(run)).status).toBe('canceled');
}

async function retried(run: string, body: object = {}): Promise<string> {
  const answer = await world.client.rest('POST', `/runs/${run}/retry`, { body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

describe('the URL of a callback that a carried-over step has passed on', () => {
  it('leads to the wait of the newest retry', async () => {
    const run = await world.fire((await world.workflow([tell('paid'), PAID])).hook);
    await waiting(world, run);
    await canceled(run);
    const [url] = told();
    expect((await post(url!, 'early')).status).toBe(410);
    const second = await retried(run);
    await waiting(world, second);
    await canceled(second);
    const third = await retried(second);
    const [wait] = await waiting(world, third);
    expect(await post(url!, 'paid')).toMatchObject({ status: 202, body: { wait_id: wait.id } });
    expect(await post(url!, 'paid')).toMatchObject({ status: 202, body: { wait_id: wait.id } });
    expect((await post(url!, 'other')).status).toBe(409);
    expect((await world.ended(third)).steps[1].output).toEqual({ body: 'paid' });
    expect(told()).toHaveLength(1);
  });

  it('is answered before the retry reaches its wait, and by the wait’s own URL too', async () => {
    const { hook } = await world.workflow([tell('paid'), world.call('middle'), PAID]);
    world.reply = ({ url }) => (url === '/middle' ? { status: 404, body: {} } : { body: {} });
    const run = await world.fire(hook);
    expect((await world.ended(run)).status).toBe('failed');
    let go = () => {};
    world.reply = async ({ url }) => {
      if (url === '/middle') await new Promise<void>((resolve) => (go = resolve));
      return { body: {} };
    };
    const second = await retried(run);
    await until(() => world.received.filter(({ url }) => url === '/middle').length === 2);
    expect((await post(told()[0]!, 'early')).status).toBe(202);
    go();
    const ended = await world.ended(second);
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(ended.steps[2].output).toEqual({ body: 'early' });
  });

  it('leads to the run that answered it once that wait is carried over too', async () => {
    const { hook } = await world.workflow([tell('paid'), PAID, world.call('last')]);
    world.reply = ({ url }) => (url === '/last' ? { status: 404, body: {} } : { body: {} });
    const run = await world.fire(hook);
    await waiting(world, run);
    await canceled(run);
    const second = await retried(run);
    const [wait] = await waiting(world, second);
    expect((await post(told()[0]!, 'paid')).status).toBe(202);
    expect((await world.ended(second)).status).toBe('failed');
    world.reply = () => ({ body: {} });
    const third = await retried(second);
    expect((await world.ended(third)).status).toBe('succeeded');
    expect(await post(told()[0]!, 'paid')).toMatchObject({ status: 202, body: { wait_id: wait.id } });
    expect(await waitsOf(world, third)).toEqual([]);
  });

  it('gives an answer that its run did not reach to the retry', async () => {
    const { hook } = await world.workflow([tell('paid'), world.call('middle'), PAID]);
    let go = () => {};
    world.reply = async ({ url }) => {
      if (url !== '/middle') return { body: {} };
      await new Promise<void>((resolve) => (go = resolve));
      return { status: 404, body: {} };
    };
    const run = await world.fire(hook);
    await until(() => world.received.some(({ url }) => url === '/middle'));
    expect((await post(told()[0]!, 'early')).status).toBe(202);
    go();
    expect((await world.ended(run)).status).toBe('failed');
    world.reply = () => ({ body: {} });
    const second = await retried(run);
    const ended = await world.ended(second);
    expect(ended.steps[2]).toMatchObject({ status: 'succeeded', output: { body: 'early' } });
    expect(await waitsOf(world, second)).toMatchObject([{ status: 'answered', answer: { body: 'early' } }]);
    expect((await post(told()[0]!, 'early')).status).toBe(202);
  });

  it('stays gone if the retry passes on a URL of its own', async () => {
    const run = await world.fire((await world.workflow([tell('paid'), PAID])).hook);
    await waiting(world, run);
    await canceled(run);
    const second = await retried(run, { from: 'start' });
    const [wait] = await waiting(world, second);
    const [first, own] = told();
    expect((await post(first!, 'late')).status).toBe(410);
    expect(await post(own!, 'paid')).toMatchObject({ status: 202, body: { wait_id: wait.id } });
  });

  it('finds the wait by its name after the actions behind the step were changed', async () => {
    const { id, hook } = await world.workflow([tell('paid'), PAID]);
    const run = await world.fire(hook);
    await waiting(world, run);
    await canceled(run);
    const actions = [tell('paid'), world.call('new'), { ...PAID, config: { timeout_seconds: 90 } }];
    expect((await world.client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } })).status).toBe(200);
    const second = await retried(run);
    await waiting(world, second);
    expect((await post(told()[0]!, 'paid')).status).toBe(202);
    expect((await world.ended(second)).steps[2].output).toEqual({ body: 'paid' });
  });
});

describe('the URL of an approval that a carried-over step has passed on', () => {
  it('decides the wait of the retry', async () => {
    const run = await world.fire((await world.workflow([tell('ask'), ASK])).hook);
    await waiting(world, run);
    await canceled(run);
    const path = pathOf(told()[0]!);
    expect((await world.client.send('GET', path)).status).toBe(410);
    const second = await retried(run);
    await waiting(world, second);
    expect((await world.client.send('GET', path)).status).toBe(200);
    const decided = await world.client.send('POST', path, { body: 'decision=approved', headers: FORM });
    expect(decided.status).toBe(200);
    expect((await world.ended(second)).steps[1].output).toMatchObject({ decision: 'approved' });
  });

  it('asks again after an early denial that its run did not reach', async () => {
    const { hook } = await world.workflow([tell('ask'), world.call('middle'), ASK]);
    let go = () => {};
    world.reply = async ({ url }) => {
      if (url !== '/middle') return { body: {} };
      await new Promise<void>((resolve) => (go = resolve));
      return { status: 404, body: {} };
    };
    const run = await world.fire(hook);
    await until(() => world.received.some(({ url }) => url === '/middle'));
    const path = pathOf(told()[0]!);
    expect((await world.client.send('POST', path, { body: 'decision=denied', headers: FORM })).status).toBe(200);
    go();
    expect((await world.ended(run)).status).toBe('failed');
    world.reply = () => ({ body: {} });
    expect(await waiting(world, await retried(run))).toMatchObject([{ status: 'pending' }]);
  });
});

describe('the URL of a connection that a carried-over step has passed on', () => {
  it('shows the form of the wait of the retry', async () => {
    const mail = world.call('tell', { body: { url: '{{ waits.access.connect_url }}' } });
    const { hook } = await world.workflow([mail, awaitConnection()]);
    const run = await world.fire(hook, { user: 'user_1' });
    await waiting(world, run);
    await canceled(run);
    const [url] = told();
    expect((await fetch(url!)).status).toBe(410);
    await waiting(world, await retried(run));
    const page = await fetch(url!);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Connect Sandbox (OAuth 2)')]);
  });
});
