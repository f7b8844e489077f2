import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { endOf } from '../bulk/bulk-world.js';
import { RunWorld } from '../../support/worlds/run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

let trigger: string;
let hook: string;
beforeEach(async () => {
  const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Flow' } });
  await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
  const config = { dedupe_header: 'X-Event-Id' };
  const made = await world.client.rest('POST', '/triggers', {
    body: { workflow_id: body.id, type: 'webhook', config },
  });
  trigger = made.body.id;
  hook = new URL(made.body.webhook_url).pathname;
});

const set = (status: 'active' | 'paused') => world.client.rest('PUT', `/triggers/${trigger}`, { body: { status } });
const post = async (value?: string) =>
  (await world.client.send('POST', hook, { body: '{}', headers: value === undefined ? {} : { 'x-event-id': value } }))
    .body as { accepted: boolean; run_id: string; reason?: string };
const retry = (id: string) => world.client.rest('POST', `/runs/${id}/retry`);
const claimedBy = (id: string) => ({
  status: 409,
  body: { code: 'conflict', message: `The event of the run has fired already: it is that of ${id}.` },
});

/** Posts while the trigger is paused. @returns the ids of the skipped runs. */
async function skipped(...values: (string | undefined)[]): Promise<string[]> {
  await set('paused');
  const ids: string[] = [];
  for (const value of values) {
    const answer = await post(value);
    expect(answer).toMatchObject({ accepted: false, reason: 'trigger_paused' });
    ids.push(answer.run_id);
  }
  await set('active');
  return ids;
}

describe('the retry of a run that was skipped', () => {
  it('claims its dedupe value: no other run with it can be retried, and a post is a duplicate of the retry', async () => {
    const [one, other] = await skipped('a', 'a');
    const { body } = await retry(one!);
    expect(body.status).toBe('queued');
    expect(await retry(other!)).toMatchObject(claimedBy(body.id));
    expect(await retry(one!)).toMatchObject(claimedBy(body.id));
    expect(await post('a')).toEqual({ accepted: false, run_id: body.id, reason: 'duplicate' });
    await world.ended(body.id);
    expect((await retry(body.id)).status).toBe(201);
  });

  it('is 409 once another post with its value has fired', async () => {
    const [one] = await skipped('a');
    const { run_id: id } = await post('a');
    expect(await retry(one!)).toMatchObject(claimedBy(id));
  });

  it('is free for another value, and without one', async () => {
    const ids = await skipped('a', 'b', undefined, undefined);
    for (const id of ids) expect((await retry(id)).status).toBe(201);
    expect((await retry(ids[2]!)).status).toBe(201);
  });

  it('is free again when the value no longer counts', async () => {
    const [one, other] = await skipped('a', 'a');
    const { body } = await retry(one!);
    await world.server.db.query(`UPDATE firings SET created_at = created_at - interval '30 days'`);
    const again = await retry(other!);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(body.id);
    expect((await post('a')).run_id).toBe(again.body.id);
  });

  it('starts one of several at once', async () => {
    const ids = await skipped('a', 'a', 'a');
    const answers = await Promise.all([...ids.map(retry), ...ids.map(retry)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('fails in a bulk retry if its value has fired, and the others start', async () => {
    await skipped('a', 'a', 'b');
    const body = { trigger_id: trigger, from: 'start' };
    const { id } = (await world.client.rest('POST', '/runs/retry', { body })).body;
    expect(await endOf(world, id)).toMatchObject({ matched: 3, done: 2, failed: 1 });
  });
});
