import pg from 'pg';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { type Answer } from '../support/http/client.js';
import { until } from '../support/until.js';
import { EventWorld, type Source } from './event-world.js';

let world: EventWorld;
let source: Source;
beforeAll(async () => {
  world = await EventWorld.open({ ALLOW_PRIVATE_NETWORK: 'true' });
  source = await world.connect('unsigned');
});
afterAll(() => world.close());

interface Read {
  tag: string;
  status: string;
}

async function read(id: string): Promise<Read> {
  const { headers, body } = await world.client.rest('GET', `/triggers/${id}`);
  return { tag: headers.get('etag')!, status: body.status };
}
const put = (id: string, body: object, tag?: string): Promise<Answer> =>
  world.client.rest('PUT', `/triggers/${id}`, { body, headers: tag === undefined ? {} : { 'if-match': tag } });
const remove = (id: string, tag: string): Promise<Answer> =>
  world.client.rest('DELETE', `/triggers/${id}`, { headers: { 'if-match': tag } });
const make = async (body: object): Promise<any> => (await world.client.rest('POST', '/triggers', { body })).body;
const follower = async (): Promise<string> =>
  (await world.trigger({ event: 'thing.made', integration_id: source.id })).id as string;

const disconnect = () => world.client.rest('POST', `/integrations/${source.id}/disconnect`);
const reconnect = () =>
  world.client.rest('POST', `/integrations/${source.id}/reconnect`, {
    body: { credentials: { api_key: 'sandbox_valid_key' } },
  });

describe('the version of a trigger', () => {
  it('moves on when its integration changes its status, there and back', async () => {
    const id = await follower();
    const states = [await read(id)];
    for (const change of [disconnect, reconnect]) {
      expect((await change()).status).toBe(200);
      states.push(await read(id));
    }
    expect(states.map(({ status }) => status)).toEqual(['active', 'error', 'active']);
    expect(new Set(states.map(({ tag }) => tag)).size).toBe(3);
    for (const { tag } of states.slice(0, -1)) {
      expect((await put(id, { status: 'paused' }, tag)).status).toBe(412);
      expect((await remove(id, tag)).status).toBe(412);
    }
    expect((await put(id, { status: 'paused' }, states[2]!.tag)).status).toBe(200);
    const paused = await read(id);
    await disconnect();
    await reconnect();
    expect(await read(id)).toEqual(paused);
  });

  it('stays when it fires, ticks, is copied, and when its workflow changes', async () => {
    const workflow_id = await world.workflow();
    const of = (type: string, config: object = {}) => make({ workflow_id, type, config });
    const event = await of('app_event', { event: 'thing.made' });
    const hook = await of('webhook');
    const schedule = await of('schedule', { cron: '* * * * *' });
    const ids: string[] = [event, hook, schedule].map(({ id }) => id as string);
    const tags = await Promise.all(ids.map(async (id) => (await read(id)).tag));

    for (const body of [{ name: 'Renamed' }, { status: 'paused' }, { status: 'active' }])
      expect((await world.client.rest('PUT', `/workflows/${workflow_id}`, { body })).status).toBe(200);
    const copied = await world.client.graphql('mutation ($id: ID!) { duplicateWorkflow(id: $id) { id } }', {
      id: workflow_id,
    });
    expect(copied.body.errors).toBeUndefined();
    expect((await world.post(source, { type: 'thing.made' })).status).toBe(202);
    expect((await fetch(hook.webhook_url as string, { method: 'POST' })).status).toBe(202);
    const worker = await world.another({ ROLES: 'worker' });
    try {
      await world.server.advance(61_000);
      const runs = async (id: string) => (await world.client.rest('GET', `/runs?trigger_id=${id}`)).body.meta.total;
      await until(async () => (await Promise.all(ids.map(runs))).every((total) => total > 0));
    } finally {
      await worker.close();
    }

    const versions = async () => Promise.all(ids.map(async (id) => (await read(id)).tag.split('.')[0]));
    expect(await versions()).toEqual(tags.map((tag) => tag.split('.')[0]));
    for (const [at, id] of ids.entries()) expect((await put(id, { name: 'Kept' }, tags[at])).status).toBe(200);
  });

  it('is compared with the row as it is, also if it changes while the request waits for it', async () => {
    const expected = 'updateTrigger(id: $id, input: { status: PAUSED }, expectedVersion: $tag) { id }';
    const mutate = (id: string, tag: string) =>
      world.client.graphql(`mutation ($id: ID!, $tag: String) { ${expected} }`, { id, tag: tag.slice(1, -1) });
    const codeOf = async (asked: Promise<Answer>) => {
      const { status, body } = await asked;
      return body?.errors?.[0].extensions.code ?? status;
    };
    const answers: unknown[] = [];
    for (const ask of [(id: string) => put(id, { status: 'paused' }), put412, remove, mutate]) {
      const id = await follower();
      const { tag } = await read(id);
      answers.push(await duringChange(id, () => codeOf(ask(id, tag))));
    }
    expect(answers).toEqual([200, 412, 412, 'PRECONDITION_FAILED']);
    const gone = await follower();
    const { tag } = await read(gone);
    expect(await duringChange(gone, () => codeOf(put412(gone, tag)), 'DELETE FROM triggers WHERE id = $1')).toBe(404);
  });
});

const put412 = (id: string, tag: string) => put(id, { status: 'paused' }, tag);

const CHANGE = `UPDATE triggers SET status = 'error', updated_at = updated_at + interval '1 ms' WHERE id = $1`;

/** Sends a request that waits for the lock of a trigger's row until the change of another transaction is committed. */
async function duringChange<T>(id: string, request: () => Promise<T>, change = CHANGE): Promise<T> {
  const holder = new pg.Client({ connectionString: world.server.database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(change, [fromPublicId('trg', id)]);
    const answer = request();
    await until(async () => {
      const [row] = await world.server.db.query<{ waiting: number }>(
        `SELECT count(*) AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return row!.waiting > 0;
    });
    await holder.query('COMMIT');
    return await answer;
  } finally {
    await holder.end();
  }
}
