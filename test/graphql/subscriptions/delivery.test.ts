import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { gauge, produce } from './changes.js';
import { EventReader } from './event-reader.js';
import { RawWebSocket } from './raw-websocket.js';
import { connectSandbox, openStream } from '../transports.js';
import { until } from '../../support/until.js';

const FIELDS = 'id version reason integration { version }';
const ACCOUNT = `subscription ($after: ID) { integrationStatusChanged(after: $after) { ${FIELDS} } }`;
const ONE = `subscription ($id: ID!, $from: Int) { integrationStatusChanged(integrationId: $id, afterVersion: $from) { ${FIELDS} } }`;

interface Change {
  id: string;
  version: number;
  reason: string;
}

/** The first so many changes that a subscription gives over each door. */
const LISTENERS = [
  {
    name: 'WebSocket',
    listen: async (server: TestServer, key: string, query: string, variables: object) => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.subscribe('1', query, variables);
      const results = () => socket.messages.filter(({ type }) => type === 'next').map(({ payload }) => payload);
      return {
        first: async (count: number): Promise<Change[]> => {
          await until(() => results().length >= count);
          return results().map(({ data }) => data.integrationStatusChanged);
        },
        completed: () => socket.message(({ type }) => type === 'complete'),
        vanish: () => socket.terminate(),
      };
    },
  },
  {
    name: 'SSE',
    listen: async (server: TestServer, key: string, query: string, variables: object) => {
      const controller = new AbortController();
      const reader = new EventReader(await openStream(server, key, { query, variables }, controller.signal));
      const changes: Change[] = [];
      return {
        first: async (count: number): Promise<Change[]> => {
          while (changes.length < count) changes.push((await reader.next())!.data.data.integrationStatusChanged);
          return changes;
        },
        completed: async () => expect((await reader.next())!.event).toBe('complete'),
        vanish: () => controller.abort(),
      };
    },
  },
];

describe.each(LISTENERS)('changes over $name', ({ listen }) => {
  let server: TestServer;
  let key: string;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    client = new Client(server.baseUrl, key);
  });
  beforeEach(async () => {
    id = await connectSandbox(server, key);
  });
  afterAll(() => server.close());

  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('come in order, each once, when 1,000 commit together', async () => {
    const [all, one] = [await listen(server, key, ACCOUNT, {}), await listen(server, key, ONE, { id })];
    await one.first(1);
    await until(async () => (await gauge(server, 'change_listeners')) === 2);
    await produce(server, id, 1_000);
    expect((await all.first(1_000)).map(({ version }) => version)).toEqual(numbers(2, 1_001));
    expect((await one.first(1_001)).map(({ version }) => version)).toEqual(numbers(1, 1_001));
    all.vanish();
    one.vanish();
  });

  it('of the past come in order, each once, while further ones commit', async () => {
    await produce(server, id, 700);
    const producing = (async () => {
      for (let batch = 0; batch < 30; batch += 1) await produce(server, id, 10);
    })();
    const listener = await listen(server, key, ONE, { id, from: 0 });
    await producing;
    expect((await listener.first(1_001)).map(({ version }) => version)).toEqual(numbers(1, 1_001));
    listener.vanish();
  });

  it('after a change of the account are those after it', async () => {
    await produce(server, id, 3);
    const { body } = await client.graphql(
      'query ($id: ID!) { integration(id: $id) { history { items { id version } } } }',
      { id },
    );
    const [, newer, older] = body.data.integration.history.items;
    const listener = await listen(server, key, ACCOUNT, { after: older.id });
    expect((await listener.first(2)).map(({ id: change }) => change)[0]).toBe(newer.id);
    listener.vanish();
  });

  it('end with the deletion', async () => {
    const listener = await listen(server, key, ONE, { id });
    await listener.first(1);
    await client.rest('DELETE', `/integrations/${id}`);
    expect((await listener.first(2))[1]!.reason).toBe('deleted');
    await listener.completed();
    listener.vanish();
  });

  it('end with the deletion for a client that was away, and at once for one that has seen it', async () => {
    await client.rest('DELETE', `/integrations/${id}`);
    const away = await listen(server, key, ONE, { id, from: 1 });
    expect((await away.first(1))[0]!.reason).toBe('deleted');
    await away.completed();
    away.vanish();
    const knowing = await listen(server, key, ONE, { id, from: 2 });
    await knowing.completed();
    knowing.vanish();
  });

  it('leave no listener when 500 clients vanish', async () => {
    await until(async () => (await gauge(server, 'change_listeners')) === 0);
    for (let round = 0; round < 10; round += 1) {
      const listeners = await Promise.all(Array.from({ length: 50 }, () => listen(server, key, ACCOUNT, {})));
      listeners.forEach(({ vanish }) => vanish());
    }
    await until(async () => (await gauge(server, 'change_listeners')) === 0);
    await until(
      async () => (await gauge(server, 'event_streams')) + (await gauge(server, 'websocket_connections')) === 0,
    );
  });

  it('leave no listener when clients vanish before their stream begins', async () => {
    const lock = server.db.source.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE integrations IN ACCESS EXCLUSIVE MODE');
    const opening = Array.from({ length: 3 }, async () => {
      if (listen === LISTENERS[0]!.listen) return (await listen(server, key, ONE, { id })).vanish();
      const controller = new AbortController();
      const asked = openStream(server, key, { query: ONE, variables: { id } }, controller.signal).catch(
        () => undefined,
      );
      await until(async () => (await gauge(server, 'change_listeners')) === 3);
      controller.abort();
      await asked;
    });
    await Promise.all(opening);
    await lock.rollbackTransaction();
    await lock.release();
    await until(async () => (await gauge(server, 'change_listeners')) === 0);
    await until(
      async () => (await gauge(server, 'event_streams')) + (await gauge(server, 'websocket_connections')) === 0,
    );
  });

  it('refuse a beginning that they can’t have', async () => {
    const code = async (query: string, variables: object) => {
      const { body } = await client.send('POST', '/graphql/stream', { body: { query, variables } });
      return /"code":"(\w+)"/.exec(body as string)?.[1];
    };
    const both = 'subscription ($id: ID!) { integrationStatusChanged(integrationId: $id, after: "chg_x") { id } }';
    const version = 'subscription { integrationStatusChanged(afterVersion: 1) { id } }';
    expect(await code(ONE, { id, from: -1 })).toBe('VALIDATION_ERROR');
    expect(await code(both, { id })).toBe('VALIDATION_ERROR');
    expect(await code(version, {})).toBe('VALIDATION_ERROR');
    expect(await code(ACCOUNT, { after: 'chg_nope' })).toBe('NOT_FOUND');
    expect(await code(ONE, { id: 'int_nope' })).toBe('NOT_FOUND');
  });

  it('wait for links that can’t be read now, and come whole', async () => {
    const query = `subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) {
      version integration { triggers { meta { total } } } } }`;
    const listener = await listen(server, key, query, { id });
    await listener.first(1);
    const lock = server.db.source.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE triggers IN ACCESS EXCLUSIVE MODE');
    await produce(server, id, 2);
    // Longer than a statement waits for a lock.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await lock.rollbackTransaction();
    await lock.release();
    const integration = { triggers: { meta: { total: 0 } } };
    expect(await listener.first(3)).toMatchObject([1, 2, 3].map((version) => ({ version, integration })));
    listener.vanish();
  });

  it('of links show them as they are at each event', async () => {
    const query = `subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) {
      version integration { version history(perPage: 1) { meta { total } } } } }`;
    const listener = await listen(server, key, query, { id });
    await listener.first(1);
    await produce(server, id, 1);
    await listener.first(2);
    await produce(server, id, 1);
    expect(await listener.first(3)).toMatchObject(
      [1, 2, 3].map((version) => ({ version, integration: { history: { meta: { total: version } } } })),
    );
    listener.vanish();
  });
});

describe('changes after one that is older than 30 days', () => {
  it('are NOT_FOUND in the own account, UNAUTHORIZED in another', async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    try {
      const [key, other] = [await server.key(), await server.key('read-only', 'other')];
      const id = await connectSandbox(server, key);
      const { body } = await new Client(server.baseUrl, key).graphql(
        'query ($id: ID!) { integration(id: $id) { history { items { id } } } }',
        { id },
      );
      const after = body.data.integration.history.items[0].id;
      const codeFor = async (asking: string) => {
        const reader = new EventReader(await openStream(server, asking, { query: ACCOUNT, variables: { after } }));
        return (await reader.next())!.data.errors[0].extensions.code;
      };
      expect(await codeFor(other)).toBe('UNAUTHORIZED');
      await server.advance(30 * 86_400_000 + 1_000);
      expect(await codeFor(key)).toBe('NOT_FOUND');
      expect(await codeFor(other)).toBe('UNAUTHORIZED');
    } finally {
      await server.close();
    }
  });
});
