import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { type Pool, type PoolClient } from 'pg';
import { EventWorld, type Source } from '../event-world.js';

let world: EventWorld;
beforeAll(async () => {
  world = await EventWorld.open({ ALLOW_PRIVATE_NETWORK: 'true' });
});
afterAll(() => world.close());

/** The bytes that PostgreSQL has sent to this process. */
const bytesRead = (): number => {
  const { master } = world.server.db.source.driver as unknown as { master: Pool };
  const { _clients } = master as unknown as {
    _clients: (PoolClient & { connection: { stream: { bytesRead: number } } })[];
  };
  return _clients.reduce((sum, { connection }) => sum + connection.stream.bytesRead, 0);
};
const attach = async (source: Source, count: number, more: object = {}): Promise<string[]> => {
  const workflowId = await world.workflow();
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const config = { event: 'thing.made', integration_id: source.id, ...more };
    ids.push((await world.trigger(config, { workflowId })).id);
  }
  return ids;
};
const disconnect = async ({ id }: Source) => {
  const { status } = await world.client.rest('POST', `/integrations/${id}/disconnect`);
  expect(status).toBe(200);
};

describe('the triggers of an integration that loses its connection', () => {
  it('are not read, however large their configs are', async () => {
    const source = await world.connect('unsigned');
    const [first] = await attach(source, 20, { more: Array.from({ length: 30_000 }, () => ({})) });
    // Neither a webhook nor the log of events wants to know of them.
    await world.server.db.query(`UPDATE accounts SET event_log = false`);
    const before = bytesRead();
    await disconnect(source);
    expect(bytesRead() - before).toBeLessThan(100_000);
    expect(await world.statusOf({ id: first! })).toBe('error');
    await world.server.db.query(`UPDATE accounts SET event_log = true`);
  });

  it('are each told to the webhooks that want them, without secrets', async () => {
    const source = await world.connect('unsigned');
    const more = { __proto__x: 1, secret: 'very-secret-indeed', zeta: { a: [] }, alpha: null };
    const ids = [...(await attach(source, 100)), ...(await attach(source, 2, more))];
    const url = 'http://127.0.0.1:9/';
    await world.client.rest('POST', '/webhooks', { body: { url, events: ['trigger.updated'] } });
    await disconnect(source);
    const told = await world.server.db.query<{ body: string }>(
      `SELECT body FROM webhook_events WHERE body LIKE '%"trigger.updated"%' ORDER BY id`,
    );
    const data = told.map(({ body }) => JSON.parse(body).data as { id: string; config: object });
    expect(data.map(({ id }) => id)).toEqual(ids);
    const { secret: _, ...shown } = more;
    expect(data.at(-1)).toEqual({
      id: ids.at(-1),
      workflow_id: expect.stringMatching(/^wf_/),
      type: 'app_event',
      config: { event: 'thing.made', integration_id: source.id, ...shown },
      status: 'error',
      created_at: expect.stringMatching(/Z$/),
    });
  });
});

describe('events that are compared with large configs', () => {
  it('share no transaction with events of another account', async () => {
    const large = await world.connect('unsigned');
    await attach(large, 12, { more: Array.from({ length: 30_000 }, () => ({})) });
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'stranger'));
    const small = await world.connect('unsigned', stranger);
    await world.trigger({ event: 'thing.made' }, { client: stranger });
    const post = (source: Source) => world.post(source, { type: 'thing.made' });
    const runs: string[] = [];
    // The first round, too: that the configs are large is found out then.
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([large, small, small, large].map(post));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      runs.push(...answers.flatMap(({ body }) => body.run_ids!));
    }
    const mixed = await world.server.db.query(
      `SELECT xmin::text FROM runs WHERE id = ANY($1) GROUP BY 1 HAVING count(DISTINCT account_id) > 1`,
      [runs.map((id) => fromPublicId('run', id))],
    );
    expect([runs.length, mixed.length]).toEqual([5 * (2 * 12 + 2), 0]);
  });
});
