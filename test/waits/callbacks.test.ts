import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { pathOf, waiting, waitsOf } from './wait-world.js';

let world: RunWorld;

beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

/** Passes the URL of a wait to the target in its first step, then waits, then passes on what was posted. */
const flow = () => [
  world.call('order', { body: { callback: '{{ waits.paid.url }}' } }),
  { name: 'paid', kind: 'wait_for_callback', config: {} },
  world.call('ship', { body: { paid: '{{ steps.paid.body }}' } }),
];

const urlSent = (run: string): string => {
  const sent = world.received.find(({ headers, url }) => url === '/order' && headers['idempotency-key'] === `${run}-0`);
  return JSON.parse(sent!.body).callback as string;
};

const shipped = (run: string): unknown => {
  const sent = world.received.find(({ headers, url }) => url === '/ship' && headers['idempotency-key'] === `${run}-2`);
  return sent && JSON.parse(sent.body);
};

const post = (url: string, body: unknown = { amount: 7 }, headers = {}) =>
  world.client.send('POST', pathOf(url), { body: JSON.stringify(body), headers });

describe('a run that waits for a callback', () => {
  it('continues with what is posted', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    expect(wait).toMatchObject({ kind: 'callback', status: 'pending', run_id: run, step: 'paid', answer: null });
    expect(wait.url).toBe(urlSent(run));
    expect(await world.run(run)).toMatchObject({ status: 'waiting', finished_at: null });
    expect((await world.run(run)).steps[1]).toMatchObject({ name: 'paid', status: 'waiting', output: null });

    const answer = await post(wait.url);
    expect(answer).toMatchObject({ status: 202, body: { accepted: true, wait_id: wait.id } });
    const ended = await world.ended(run);
    expect(ended.status).toBe('succeeded');
    expect(ended.steps[1]).toMatchObject({ status: 'succeeded', output: { body: { amount: 7 } } });
    expect(shipped(run)).toEqual({ paid: { amount: 7 } });
    const { body } = await world.client.rest('GET', `/waits/${wait.id}`);
    expect(body).toMatchObject({ status: 'answered', answer: { body: { amount: 7 } }, answered_by: null });
    expect(Date.parse(body.answered_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
  });

  it('takes an answer that comes before it waits', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.reply = async ({ url }) => {
      if (url === '/order') await held;
      return { body: {} };
    };
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    await until(() => world.received.some(({ headers }) => headers['idempotency-key'] === `${run}-0`));
    const answer = await post(urlSent(run), 'early');
    expect(answer.status).toBe(202);
    expect(await waitsOf(world, run)).toMatchObject([
      { id: answer.body.wait_id, status: 'answered', answer: { body: 'early' }, step: 'paid', expires_at: null },
    ]);
    release();
    world.reply = () => ({ body: {} });
    expect((await world.ended(run)).status).toBe('succeeded');
    expect(shipped(run)).toEqual({ paid: 'early' });
    expect(await waitsOf(world, run)).toMatchObject([{ id: answer.body.wait_id, status: 'answered' }]);
    const [reached] = await waitsOf(world, run);
    expect(Date.parse(reached.created_at)).toBeGreaterThan(Date.parse(reached.answered_at));
    expect(Date.parse(reached.expires_at) - Date.parse(reached.created_at)).toBe(86_400_000);
  });

  it('takes the same bytes again, also after the run has ended, and no others', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const first = await post(wait.url);
    expect(await post(wait.url)).toMatchObject({ status: 202, body: first.body });
    expect(await post(wait.url, { amount: 8 })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await world.ended(run);
    expect(await post(wait.url)).toMatchObject({ status: 202, body: first.body });
    expect(await post(wait.url, { amount: 8 })).toMatchObject({ status: 409 });
  });

  it('takes no later answer after one by the API, not even the same bytes', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const byApi = () => world.client.rest('POST', `/waits/${wait.id}/answer`, { body: { body: { amount: 7 } } });
    expect(await byApi()).toMatchObject({ status: 200, body: { answer: { body: { amount: 7 } } } });
    const refused = { status: 409, body: { code: 'conflict' } };
    for (const answer of [post(wait.url), post(wait.url, { amount: 8 }), byApi()])
      expect(await answer).toMatchObject(refused);
    await world.ended(run);
    expect(await post(wait.url)).toMatchObject(refused);
    expect(await byApi()).toMatchObject(refused);
    expect(shipped(run)).toEqual({ paid: { amount: 7 } });
  });

  it('takes exactly one of many answers at once', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => post(wait.url, { number })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const taken = answers.findIndex(({ status }) => status === 202);
    expect((await world.ended(run)).steps[1].output).toEqual({ body: { number: taken } });
    expect(world.received.filter(({ headers }) => headers['idempotency-key'] === `${run}-2`)).toHaveLength(1);
  });

  it('takes an empty body as null, and a form as an object', async () => {
    const { hook } = await world.workflow(flow());
    const [one, two] = [await world.fire(hook), await world.fire(hook)];
    const [empty] = await waiting(world, one);
    const [form] = await waiting(world, two);
    expect((await world.client.send('POST', pathOf(empty.url), { body: '' })).status).toBe(202);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await world.client.send('POST', pathOf(form.url), { body: 'a=1&b=2', headers })).status).toBe(202);
    expect((await world.ended(one)).steps[1].output).toEqual({ body: null });
    expect((await world.ended(two)).steps[1].output).toEqual({ body: { a: '1', b: '2' } });
  });

  it('refuses made-up tokens, other methods and the tokens of other purposes', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const token = pathOf(wait.url).split('/')[2]!;
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [`/callbacks/${changed}`, '/callbacks/nothing', `/callbacks/${token}x`])
      expect(await world.client.send('POST', path, { body: '1' })).toMatchObject({ status: 404 });
    expect((await world.client.send('POST', `/approvals/${token}`, { body: 'decision=approved' })).status).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await world.client.send(method, pathOf(wait.url), {})).status).toBe(405);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
  });

  it('is gone once its run is canceled', async () => {
    const { hook } = await world.workflow(flow());
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    expect((await world.client.rest('POST', `/runs/${run}/cancel`)).body).toMatchObject({ status: 'canceled' });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'canceled' }]);
    expect((await world.run(run)).steps[1]).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
    expect(await post(wait.url)).toMatchObject({ status: 410, body: { code: 'gone' } });
  });
});
