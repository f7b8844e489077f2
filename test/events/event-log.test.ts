import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { messageId, verified } from '../webhooks/receiver.js';
import { WebhookWorld } from '../webhooks/webhook-world.js';

const DAY_MS = 86_400_000;

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
  world.startSender();
});
afterAll(() => world.close());

/** A client of a new account. */
async function client(account: string): Promise<Client> {
  return new Client(world.server.baseUrl, await world.server.key('read-write', account));
}

const create = async (on: Client, name: string): Promise<any> =>
  (await on.rest('POST', '/workflows', { body: { name } })).body;
const events = async (on: Client, query = ''): Promise<any[]> => (await on.rest('GET', `/events${query}`)).body.data;
const names = (of: any[]): string[] => of.map(({ data }) => data.name);

describe('GET /v1/events', () => {
  it('has every event of the account without any webhook, oldest first, with the data of its GET', async () => {
    const own = await client('Plain');
    const made = await create(own, 'One');
    const { body: updated } = await own.rest('PUT', `/workflows/${made.id}`, { body: { name: 'Two' } });
    const { body: trigger } = await own.rest('POST', '/triggers', {
      body: { workflow_id: made.id, type: 'manual' },
    });
    await own.rest('DELETE', `/workflows/${made.id}`);
    const log = await events(own);
    expect(log.map(({ type }) => type)).toEqual([
      'workflow.created',
      'workflow.updated',
      'trigger.created',
      'trigger.deleted',
      'workflow.deleted',
    ]);
    expect([log[0].data, log[1].data]).toEqual([made, updated]);
    expect(log[0].timestamp).toBe(made.created_at);
    expect(log[1].timestamp).toBe(updated.updated_at);
    expect(log[2].data.id).toBe(trigger.id);
    expect(Object.keys(log[0])).toEqual(['id', 'type', 'timestamp', 'data']);
  });

  it('continues behind `after`, in parts of `limit`, and of some types', async () => {
    const own = await client('Parts');
    for (let n = 1; n <= 25; n += 1) await create(own, `Flow ${n}`);
    const { id } = await create(own, 'Last');
    await own.rest('DELETE', `/workflows/${id}`);
    const first = await events(own);
    expect(names(first)).toEqual(Array.from({ length: 20 }, (_, n) => `Flow ${n + 1}`));
    const second = await events(own, `?after=${first.at(-1).id}&limit=3`);
    expect(names(second)).toEqual(['Flow 21', 'Flow 22', 'Flow 23']);
    const deleted = await events(own, '?types=workflow.deleted,run.failed');
    expect(deleted.map(({ type }) => type)).toEqual(['workflow.deleted']);
    expect(await events(own, `?after=${deleted[0].id}`)).toEqual([]);
  });

  it('has the ids that webhooks send as `webhook-id`, and the same bodies', async () => {
    const [a, b] = [await world.webhook('/a', ['workflow.created']), await world.webhook('/b', ['workflow.created'])];
    await create(world.client, 'Sent twice');
    await until(() => world.receiver.at('/a').length === 1 && world.receiver.at('/b').length === 1);
    const [event] = (await events(world.client)).filter(({ data }) => data.name === 'Sent twice');
    for (const { id, secret, path } of [
      { ...a, path: '/a' },
      { ...b, path: '/b' },
    ]) {
      const [received] = world.receiver.at(path);
      expect(messageId(received!)).toBe(event.id);
      const { id: _, ...body } = event;
      expect(verified(received!, secret)).toEqual(body);
      expect((await world.deliveries(id))[0].id).toMatch(/^dlv_/);
    }
    expect(await events(world.client, `?after=${event.id}`)).toEqual([]);
  });

  it('refuses unknown types, limits and waits by name', async () => {
    const refused = async (query: string) => (await world.client.rest('GET', `/events?${query}`)).body;
    expect(await refused('types=run.failed,run.exploded')).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'types' }],
    });
    expect(await refused('types=')).toMatchObject({ details: [{ field: 'types' }] });
    expect(await refused(`types=${Array.from({ length: 23 }, () => 'run.failed').join()}`)).toMatchObject({
      details: [{ field: 'types', message: 'must not name more than the 22 there are' }],
    });
    expect(await refused('limit=0&wait=31')).toMatchObject({ details: [{ field: 'limit' }, { field: 'wait' }] });
    expect(await refused('limit=101')).toMatchObject({ details: [{ field: 'limit' }] });
  });

  it('answers 410 for an unknown event, one of another account and one that is too old', async () => {
    const [own, other] = [await client('Old'), await client('Other')];
    const { id: workflow } = await create(own, 'Old');
    await create(other, 'Theirs');
    const [mine] = await events(own);
    const [theirs] = await events(other);
    for (const after of ['evt_01kagrx8060000000000000000', 'nonsense', workflow, theirs.id])
      expect((await own.rest('GET', `/events?after=${after}`)).body).toMatchObject({
        code: 'gone',
        details: [{ field: 'after' }],
      });
    await world.server.advance(30 * DAY_MS + 1_000);
    expect((await own.rest('GET', `/events?after=${mine.id}`)).status).toBe(410);
    expect(await events(own)).toEqual([]);
    await create(own, 'New');
    expect(names(await events(own))).toEqual(['New']);
  });

  it('holds the response until there is an event that is asked for, or until the time is over', async () => {
    const own = await client('Patient');
    expect(await events(own, '?wait=1')).toEqual([]);
    const deleted = events(own, '?wait=30&types=workflow.deleted');
    const any = events(own, '?wait=30');
    const { id } = await create(own, 'Awaited');
    expect(names(await any)).toEqual(['Awaited']);
    await own.rest('DELETE', `/workflows/${id}`);
    expect((await deleted).map(({ type }) => type)).toEqual(['workflow.deleted']);
  });

  it('ends a part early whose data is large', async () => {
    const own = await client('Large');
    const { id } = (await own.rest('POST', '/workflows', { body: { name: 'Large', status: 'active' } })).body;
    const trigger = await own.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook' } });
    const hook = new URL(trigger.body.webhook_url).pathname;
    for (let n = 0; n < 6; n += 1)
      await own.send('POST', hook, { body: JSON.stringify({ n, text: 'x'.repeat(900_000) }) });
    let log: any[] = [];
    await until(async () => (log = await everything(own, 'run.succeeded')).length === 6);
    expect((await events(own, '?types=run.succeeded')).length).toBeLessThan(5);
    expect(log.map(({ data }) => data.input.n).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

/** The whole log, part by part. */
async function everything(on: Client, types: string): Promise<any[]> {
  const all: any[] = [];
  for (let after = ''; ; after = `&after=${all.at(-1).id}`) {
    const part = await events(on, `?types=${types}${after}`);
    if (part.length === 0) return all;
    all.push(...part);
  }
}
