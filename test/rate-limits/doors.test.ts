import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { exchange } from '../support/http/exchange.js';
import { connectSandbox } from '../graphql/transports.js';
import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describe('rate limits at the doors', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new StillClock(),
      env: {
        RATE_LIMITS: 'on',
        RATE_LIMIT_READ: '3',
        RATE_LIMIT_WRITE: '2',
        RATE_LIMIT_HOOK: '2',
        RATE_LIMIT_SUBSCRIBE: '1',
      },
    });
  });
  afterAll(() => server.close());

  const newClient = async () => new Client(server.baseUrl, await server.key());
  const times = async <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

  it('REST reads: a burst of twice the rate, then 429 with Retry-After', async () => {
    const client = await newClient();
    const answers = await times(8, () => client.rest('GET', '/workflows'));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit')).toMatch(/^"read";r=0;t=\d$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"read";q=6;w=2');
  });

  it('REST writes have a limit of their own', async () => {
    const client = await newClient();
    await times(6, () => client.rest('GET', '/workflows'));
    const answers = await times(5, () => client.rest('POST', '/workflows', { body: { name: 'x' } }));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 429]);
  });

  it('the headers are on every answer to a valid key, and on none without one', async () => {
    const client = await newClient();
    expect((await client.rest('GET', '/nothing')).headers.get('ratelimit')).toMatch(/^"read";r=5/);
    expect((await client.rest('POST', '/workflows', { body: {} })).headers.get('ratelimit')).toMatch(/^"write";r=3/);
    expect((await new Client(server.baseUrl).rest('GET', '/workflows')).headers.get('ratelimit')).toBeNull();
  });

  it('a failed authentication is 401 however often', async () => {
    const answers = await times(20, () => new Client(server.baseUrl, 'wfk_nope').rest('GET', '/workflows'));
    expect(new Set(statuses(answers))).toEqual(new Set([401]));
  });

  it('GraphQL counts queries as reads and mutations as writes', async () => {
    const client = await newClient();
    const mutation = () => client.graphql('mutation { createWorkflow(input: { name: "x" }) { id } }');
    const written = await times(5, mutation);
    expect(statuses(written)).toEqual([200, 200, 200, 200, 429]);
    const refused = written.find(({ status }) => status === 429)!;
    expect(refused.body.errors![0].extensions.code).toBe('RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toBe('1');
    const read = await times(7, () => client.graphql('{ viewer { account { name } } }'));
    expect(statuses(read)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(read[0]!.headers.get('ratelimit')).toMatch(/^"read"/);
  });

  it('event streams count as reads where they are begun', async () => {
    const client = await newClient();
    const begin = async () => {
      const ending = new AbortController();
      const query = encodeURIComponent('subscription { integrationStatusChanged { id } }');
      const { status, headers } = await fetch(`${server.baseUrl}/graphql/stream?query=${query}`, {
        headers: { authorization: `Bearer ${client.key!}` },
        signal: ending.signal,
      });
      ending.abort();
      return { status, headers };
    };
    const answers = await times(7, begin);
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    for (const { headers } of answers) expect(headers.get('ratelimit')).toMatch(/^"read";r=\d/);
    expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toBe('1');
  });

  it('each hook has a limit of its own', async () => {
    const client = await newClient();
    const workflow = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const hook = async () =>
      (await client.rest('POST', '/triggers', { body: { workflow_id: workflow.body.id, type: 'webhook' } })).body
        .webhook_url as string;
    const [one, other] = [await hook(), await hook()];
    const answers = await times(5, () => fetch(one, { method: 'POST', body: '1' }));
    expect(statuses(answers)).toEqual([202, 202, 202, 202, 429]);
    expect((await fetch(other, { method: 'POST', body: '1' })).status).toBe(202);
  });

  describe('hold back the refusals of a sender that repeats them', () => {
    /** The hundred that go out at once, and those of another second; the last is held back for a second. */
    const MANY = 150;
    const hookOf = async (client: Client) => {
      const workflow = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
      const trigger = { workflow_id: workflow.body.id, type: 'webhook' };
      return (await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url as string;
    };

    it.each([
      ['REST', 429, async (client: Client) => () => client.rest('GET', '/workflows')],
      ['paths that do not exist', 404, async (client: Client) => () => client.rest('GET', '/nothing')],
      ['GraphQL', 429, async (client: Client) => () => client.graphql('{ viewer { account { id } } }')],
      ['the proxy', 429, async ({ key }: Client) => proxied(key!)],
      ['hooks', 429, async (client: Client) => post(await hookOf(client))],
      ['unknown hooks', 404, async () => postUnknown],
      ['sign-in', 429, async () => signIn],
      ['bad keys', 401, async () => () => new Client(server.baseUrl, 'wfk_nope').rest('GET', '/workflows')],
    ])('%s', async (_, status, senderOf) => {
      const send = await senderOf(await newClient());
      // Their rate is used up.
      await times(12, send);
      const began = performance.now();
      const answers = await times(MANY, send);
      expect(new Set(statuses(answers))).toEqual(new Set([status]));
      expect(performance.now() - began).toBeGreaterThan(900);
      const other = await newClient();
      expect((await other.rest('GET', '/workflows')).status).toBe(200);
    });

    const proxied = (key: string) => () =>
      fetch(`${server.baseUrl}/v1/integrations/int_x/proxy/me`, { headers: { authorization: `Bearer ${key}` } });
    const signIn = () => {
      const headers = { origin: server.baseUrl, 'content-type': 'application/json' };
      const body = JSON.stringify({ email: 'nobody@example.com', password: 'a guess that is long enough' });
      return fetch(`${server.baseUrl}/auth/sign-in/email`, { method: 'POST', headers, body });
    };
    const postUnknown = () =>
      fetch(`${server.baseUrl}/hooks/${randomBytes(32).toString('base64url')}`, { method: 'POST', body: '1' });
    const post = (url: string) => () => fetch(url, { method: 'POST', body: '1' });
  });

  it('hold back what needs no key, all of a network together, beyond 300', async () => {
    const requests = [
      'GET /livez',
      'GET /no-such-page',
      'GET /auth/options',
      'OPTIONS /v1/workflows',
      // Another path that no token can have.
      'GET /hooks/a/b',
    ].map((line) => `${line} HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nAccess-Control-Request-Method: GET\r\n\r\n`);
    const each = 100;
    const began = performance.now();
    const exchanges = await times(10, () => exchange(server.baseUrl, requests.join('').repeat(each / 10), each / 2));
    const answers = exchanges.flatMap((one) => one.statuses).sort();
    expect(answers.length).toBe(each * requests.length);
    expect(new Set(answers)).toEqual(new Set([200, 204, 404]));
    // 200 of the 500 come in another second.
    expect(performance.now() - began).toBeGreaterThan(900);
    const other = await newClient();
    expect((await other.rest('GET', '/workflows')).status).toBe(200);
  });

  it('hold back upgrades in the same way, also those that are refused', async () => {
    const sockets = 600;
    const upgrade =
      `GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';
    const began = performance.now();
    const port = Number(new URL(server.baseUrl).port);
    const first = async (): Promise<string> => {
      const socket = connect(port, 'localhost', () => socket.write(upgrade));
      const [line] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return line.toString('latin1', 9, 12);
    };
    expect(new Set(await times(sockets, first))).toEqual(new Set(['404']));
    // 300 come at once, and 200 a second from then on; the last wait for nearly a second.
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  it('hold back what sockets subscribe with, and refuse what would wait longer than 30 s', async () => {
    const id = (server: TestServer, key: string) => connectSandbox(server, key);
    const key = await server.key();
    const integration = await id(server, key);
    const sockets = [await RawWebSocket.open(server.ws(), key), await RawWebSocket.open(server.ws(), key)];
    const query = `subscription { integrationStatusChanged(integrationId: "${integration}") { id } }`;
    // 2 of a burst, 30 that wait their turn, at one a second: of two sockets together.
    for (let n = 0; n < 33; n += 1) sockets[n % 2]!.subscribe(`s${n}`, query);
    const refused = await Promise.race(sockets.map((socket) => socket.message(({ type }) => type === 'error')));
    expect(refused.payload).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    // Those of the burst begin at once, others a second after each other.
    const begun = () => sockets.flatMap(({ messages }) => messages).filter(({ type }) => type === 'next').length;
    await until(() => begun() >= 4);
    // Another key does not wait.
    const other = await server.key();
    const socket = await RawWebSocket.open(server.ws(), other);
    socket.subscribe('s', query.replace(integration, await id(server, other)));
    expect((await socket.message(({ id: of }) => of === 's')).type).toBe('next');
    for (const each of [...sockets, socket]) each.close();
  });

  it('weigh what a request asks for', async () => {
    const left = ({ headers }: { headers: Headers }) => headers.get('ratelimit');
    const weighed = await startTestServer({
      env: { RATE_LIMITS: 'on', RATE_LIMIT_READ: '100' },
      clock: new StillClock(),
    });
    try {
      const newOne = async () => new Client(weighed.baseUrl, await weighed.key());
      const ask = async (query: string, variables: Record<string, unknown> = {}) =>
        left(await (await newOne()).graphql(query, variables));
      const rest = async (path: string) => left(await (await newOne()).rest('GET', path));
      expect(await ask('{ viewer { account { id } } }')).toBe('"read";r=199;t=1');
      expect(await ask('{ a: viewer { account { id } } b: viewer { account { id } } }')).toMatch(/r=198;/);
      expect(await ask('{ workflows(search: "x") { items { id } } }')).toMatch(/r=195;/);
      expect(await ask('query ($s: String) { workflows(search: $s) { items { id } } }', { s: 'x' })).toMatch(/r=195;/);
      expect(await ask('query ($s: String) { workflows(search: $s) { items { id } } }')).toMatch(/r=199;/);
      expect(await ask('{ cronPreview(cron: "0 0 29 2 */7") { next } }')).toMatch(/r=194;/);
      const period = 'from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z"';
      expect(await ask(`{ runStatistics(${period}) { sum { total } } }`)).toMatch(/r=190;/);
      expect(await ask('{ triggers(perPage: 100) { items { nextFireAt } } }')).toMatch(/r=197;/);
      expect(await ask('{ runs(perPage: 100) { items { steps { id: name } } } }')).toMatch(/r=150;/);
      expect(await ask('{ runs(page: 101, perPage: 100) { items { id } } }')).toMatch(/r=199;/);
      expect(await ask('{ runs(page: 102, perPage: 100) { items { id } } }')).toMatch(/r=190;/);
      const nested = '{ workflows(perPage: 50) { items { triggers(perPage: 100) { items { id } } } } }';
      expect(await ask(nested)).toMatch(/r=150;/);
      expect(await rest('/workflows?per_page=100')).toMatch(/r=199;/);
      expect(await rest('/workflows?page=101&per_page=100')).toMatch(/r=199;/);
      expect(await rest('/runs?page=10002&per_page=1')).toMatch(/r=190;/);
      const writing = await (
        await newOne()
      ).graphql(
        'mutation { a: createWorkflow(input: { name: "x" }) { id } b: createWorkflow(input: { name: "x" }) { id } }',
      );
      expect(left(writing)).toMatch(/^"write";r=198;/);
    } finally {
      await weighed.close();
    }
  });

  describe('count each 250 tokens of a document that is not known as one more', () => {
    let weighed: TestServer;
    beforeAll(async () => {
      const env = { RATE_LIMITS: 'on', RATE_LIMIT_READ: '100', RATE_LIMIT_WRITE: '100', RATE_LIMIT_SUBSCRIBE: '1' };
      weighed = await startTestServer({ env, clock: new StillClock() });
    });
    afterAll(() => weighed.close());

    /** So many tokens in an operation with such an opening. */
    const document = (tokens: number, opening: string, field = 'id') => {
      const around = opening.split(' ').length + opening.split('{').length - 1;
      return `${opening} ${`${field} `.repeat(tokens - around)}${'}'.repeat(opening.split('{').length - 1)}`;
    };
    const QUERY = '{ viewer { account {';
    const account = async () => new Client(weighed.baseUrl, await weighed.key());
    const left = ({ headers }: { headers: Headers }) => headers.get('ratelimit');

    it('once, and nothing while it is known', async () => {
      const client = await account();
      expect(left(await client.graphql(document(249, QUERY)))).toMatch(/r=199;/);
      expect(left(await client.graphql(document(250, QUERY)))).toMatch(/r=197;/);
      expect(left(await client.graphql(document(250, QUERY)))).toMatch(/r=196;/);
      expect(left(await client.graphql(document(1_000, QUERY)))).toMatch(/r=191;/);
      expect(left(await client.rest('GET', '/workflows'))).toMatch(/r=190;/);
    });

    it.each([
      ['validation', document(1_000, QUERY, 'unknown')],
      ['its limits', document(1_000, '{', 'viewer')],
      ['its syntax', document(1_000, '{').slice(0, -1)],
      ['its length', document(2_000, QUERY)],
    ])('also of a document that is refused for %s', async (_, query) => {
      const answer = await (await account()).graphql(query);
      expect([answer.status, left(answer)]).toEqual([400, expect.stringMatching(/r=19[56];/)]);
    });

    it('beside what a mutation weighs as a write', async () => {
      const client = await account();
      const opening = 'mutation { createWorkflow ( input : { name : "x" } ) {';
      const query = document(1_001, opening).slice(0, -1);
      expect(left(await client.graphql(query))).toMatch(/^"write";r=199;/);
      expect(left(await client.rest('GET', '/workflows'))).toMatch(/^"read";r=195;/);
    });

    it('of an event stream', async () => {
      const query = document(500, 'subscription {', 'unknown');
      const answer = await (await account()).send('POST', '/graphql/stream', { body: { query } });
      expect([answer.status, left(answer)]).toEqual([400, expect.stringContaining('r=197;')]);
    });
  });

  it('refuse with 429 what weighs more than is left, and nothing of it is done', async () => {
    const client = await newClient();
    await times(3, () => client.rest('GET', '/workflows'));
    const far = '/workflows?page=10002&per_page=1';
    expect((await client.rest('GET', far)).status).toBe(200);
    const refused = await client.rest('GET', far);
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([429, expect.stringMatching(/^"read";r=0;/)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are absent when they are off', async () => {
    const free = await startTestServer({ env: { RATE_LIMITS: 'off', RATE_LIMIT_READ: '1' } });
    try {
      const client = new Client(free.baseUrl, await free.key());
      const answers = await times(10, () => client.rest('GET', '/workflows'));
      expect(new Set(statuses(answers))).toEqual(new Set([200]));
      expect(answers[0]!.headers.get('ratelimit')).toBeNull();
    } finally {
      await free.close();
    }
  });
});
