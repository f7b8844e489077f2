import { createGzip, gzipSync } from 'node:zlib';
import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { CallWorld, KEY } from './upstream.js';

const MEBIBYTE = 1_048_576;

describe('a call of a connected application', () => {
  let world: CallWorld;
  beforeAll(async () => {
    world = await CallWorld.open();
  });
  beforeEach(() => world.upstream.reset());
  afterAll(() => world.close());

  /** Answers with these bytes. */
  const answer = (type: string | undefined, body: Buffer | string, status = 200, headers = {}) => {
    world.upstream.onRequest = (_, response) => {
      response.writeHead(status, { ...(type !== undefined && { 'content-type': type }), ...headers });
      response.end(body);
    };
  };
  const get = async (body: Record<string, unknown> = {}) => (await world.call({ path: '/x', ...body })).body;

  it('sends method, path, query, headers and body, with the credentials', async () => {
    const { status, body } = await world.call({
      method: 'PATCH',
      path: '/items/1?a=1',
      query: { b: ['x y', 2], c: true, d: null },
      headers: { 'X-Mine': 'caf\u00e9', 'x-api-key': 'forged', 'Workflow-Hops': '0', 'Idempotency-Key': 'k' },
      body: { firstName: 'Ada', last_name: 'Lovelace' },
    });
    expect([status, body]).toEqual([
      200,
      { integration_id: world.id, status: 200, headers: expect.any(Object), body: {}, truncated: false },
    ]);
    const { headers, ...sent } = world.upstream.last;
    expect({ ...sent, body: sent.body.toString() }).toEqual({
      method: 'PATCH',
      url: '/base/items/1?a=1&b=x+y&b=2&c=true',
      body: '{"firstName":"Ada","last_name":"Lovelace"}',
    });
    expect(headers).toMatchObject({
      'x-api-key': [KEY],
      'x-mine': ['caf\u00e9'],
      'idempotency-key': ['k'],
      'workflow-hops': ['1'],
      'content-type': ['application/json'],
    });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('is a GET without a body by default, and puts a key of the query in the place of the caller\u2019s', async () => {
    await world.call({ path: '/items?api_key=forged&b=%2f' }, world.queryId);
    expect(world.upstream.last).toMatchObject({ method: 'GET', url: `/base/items?b=%2f&api_key=${KEY}` });
    expect(world.upstream.last.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['JSON', 'application/json; charset=utf-8', '{"aB":{"c_d":[1]}}', { aB: { c_d: [1] } }],
    ['JSON of another name', 'application/problem+json', '"x"', 'x'],
    ['JSON that does not parse', 'application/json', '{', '{'],
    [
      'JSON nested too deeply',
      'application/json',
      '['.repeat(201) + ']'.repeat(201),
      '['.repeat(201) + ']'.repeat(201),
    ],
    ['text', 'text/plain', '[1]', '[1]'],
    ['text without a type', undefined, 'caf\u00e9', 'caf\u00e9'],
    ['text that is not UTF-8', 'text/plain', Buffer.from([0xe9]), '6Q=='],
    ['bytes', 'image/png', Buffer.from([0x89, 0x50]), 'iVA='],
    ['nothing', 'application/json', '', null],
  ])('returns %s', async (_, type, sent, expected) => {
    answer(type, sent);
    expect(await get()).toMatchObject({ status: 200, body: expected, truncated: false });
  });

  it('returns every status, and headers in lower case, repeated ones as a list, without cookies', async () => {
    answer('text/plain', 'no', 404, { 'X-One': '1', Link: ['a', 'b'], 'Set-Cookie': 'a=b' });
    const { status, body } = await world.call({ path: '/x' });
    expect([status, body.status, body.body]).toEqual([200, 404, 'no']);
    expect(body.headers).toMatchObject({ 'x-one': '1', link: ['a', 'b'], 'content-type': 'text/plain' });
    expect(body.headers).not.toHaveProperty('set-cookie');
    answer(undefined, '', 302, { Location: '/elsewhere' });
    expect(await get()).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  });

  it('keeps the first megabyte, cut at a whole character and never parsed', async () => {
    // The limit is within a character.
    answer('application/json', `"x${'\u20ac'.repeat(400_000)}"`);
    const text = await get();
    expect([text.truncated, text.body]).toEqual([true, `"x${'\u20ac'.repeat((MEBIBYTE - 4) / 3)}`]);
    answer('image/png', Buffer.alloc(2 * MEBIBYTE));
    const bytes = await get();
    expect([bytes.truncated, Buffer.from(bytes.body as string, 'base64').length]).toEqual([true, MEBIBYTE]);
    answer('text/plain', 'x'.repeat(MEBIBYTE));
    expect(await get()).toMatchObject({ truncated: false, body: 'x'.repeat(MEBIBYTE) });
  });

  it('decompresses what was compressed unasked, as far as it is kept', async () => {
    answer('application/json', gzipSync('{"a":1}'), 200, { 'content-encoding': 'gzip' });
    expect(await get()).toMatchObject({ body: { a: 1 } });
    world.upstream.onRequest = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let n = 0; n < 64; n += 1) gzip.write(Buffer.alloc(MEBIBYTE));
      gzip.end();
    };
    expect((await get()).truncated).toBe(true);
    answer('text/plain', 'no gzip', 200, { 'content-encoding': 'gzip' });
    expect((await world.call({ path: '/x' })).body.code).toBe('provider_unavailable');
  });

  it('is 502 without an answer', async () => {
    world.upstream.onRequest = (request) => request.socket.destroy();
    // Its key is in the URL.
    const { status, body } = await world.call({ path: '/x' }, world.queryId);
    expect([status, body.code]).toEqual([502, 'provider_unavailable']);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it.each([
    ['no path', {}, 'path'],
    ['a path of another host', { path: '//evil.test' }, 'path'],
    ['a backslash', { path: '/\\evil.test' }, 'path'],
    ['a relative path', { path: 'x' }, 'path'],
    ['a line break', { path: '/a\nb' }, 'path'],
    ['a fragment', { path: '/channels/#general' }, 'path'],
    ['another method', { path: '/', method: 'TRACE' }, 'method'],
    ['a header with a line break', { path: '/', headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
    ['a header with a name of two', { path: '/', headers: { 'X-A: b\r\nX-B': 'b' } }, 'headers.X-A: b\r\nX-B'],
    ['a header of the connection', { path: '/', headers: { Host: 'evil.test' } }, 'headers.Host'],
    ['a header that is no text', { path: '/', headers: { 'X-A': 1 } }, 'headers.X-A'],
    ['an object in the query', { path: '/', query: { a: {} } }, 'query.a'],
    ['too many retries', { path: '/', retries: 6 }, 'retries'],
  ])('refuses %s', async (_, body, field) => {
    const { status, body: refusal } = await world.call(body);
    expect([status, refusal.code, refusal.details?.[0]?.field]).toEqual([400, 'validation_error', field]);
    expect(world.upstream.requests).toEqual([]);
  });

  it.each(['/../x', '/a/%2e%2e/x', '/a/..%2fx', '/a/.%252e/x', '/a/..;/x'])(
    'never leaves the base URL: %s',
    async (path) => {
      expect(await world.call({ path })).toMatchObject({ status: 400, body: { code: 'validation_error' } });
      expect(world.upstream.requests).toEqual([]);
    },
  );

  it('takes exactly one of an integration and a connection', async () => {
    const call = (input: object) =>
      world.client.graphql('mutation ($input: CallApplicationInput!) { callApplication(input: $input) { status } }', {
        input: { path: '/x', ...input },
      });
    const connection = { type: 'raw_app', reference: 'nobody' };
    for (const input of [{}, { integrationId: world.id, connection }]) {
      const { body } = await call(input);
      expect(body).toMatchObject({
        data: { callApplication: null },
        errors: [{ extensions: { code: 'VALIDATION_ERROR', details: [{ field: 'connection' }] } }],
      });
    }
    expect((await call({ integrationId: world.id })).body.data.callApplication).toEqual({ status: 200 });
    expect((await call({ connection })).body.errors![0].extensions.code).toBe('NOT_FOUND');
    const ignoring = await world.call({ path: '/x', connection });
    expect([ignoring.status, ignoring.headers.get('ignored-fields')]).toEqual([200, 'connection']);
  });

  it('is 409 not_connected where it is not, 404 for unknown ids and 403 for keys that only read', async () => {
    const { body } = await world.integrations.post('/integrations/connect', {
      type: 'raw_app',
      credentials: { api_key: KEY },
    });
    await world.integrations.post(`/integrations/${body.id}/disconnect`);
    expect(await world.call({ path: '/x' }, body.id)).toMatchObject({ status: 409, body: { code: 'not_connected' } });
    expect((await world.call({ path: '/x' }, 'int_01kagrx8010000000000000000')).status).toBe(404);
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    expect((await reader.rest('POST', `/integrations/${world.id}/call`, { body: {} })).status).toBe(403);
  });

  it('is repeated as often as asked, and then returns the last answer', async () => {
    let left = 1;
    world.upstream.onRequest = (_, response) => {
      response.statusCode = left-- > 0 ? 500 : 201;
      response.end();
    };
    expect(await get({ retries: 1 })).toMatchObject({ status: 201 });
    expect(world.upstream.requests).toHaveLength(2);
    answer(undefined, 'broken', 500, { 'retry-after': '3600' });
    expect(await get({ retries: 5 })).toMatchObject({ status: 500, body: 'broken' });
    answer(undefined, 'gone', 410);
    expect(await get({ retries: 5 })).toMatchObject({ status: 410 });
    expect(world.upstream.requests).toHaveLength(4);
  });

  it('is replayed for an Idempotency-Key, without another call and without passing the key on', async () => {
    const call = () =>
      world.client.rest('POST', `/integrations/${world.id}/call`, {
        body: { path: '/x', method: 'POST' },
        headers: { 'idempotency-key': 'once-1' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(world.upstream.requests).toHaveLength(1);
    expect(world.upstream.last.headers).not.toHaveProperty('idempotency-key');
  });

  it('is replayed with a response that PostgreSQL could not store as text', async () => {
    answer('application/json', String.raw`{"nul":"\u0000","half":"\ud800","__proto__":{"a":1}}`);
    const call = async () => {
      const headers = { 'idempotency-key': 'once-2' };
      return (await world.client.rest('POST', `/integrations/${world.id}/call`, { body: { path: '/x' }, headers }))
        .body;
    };
    const first = await call();
    expect(JSON.stringify(first.body)).toBe(String.raw`{"nul":"\u0000","half":"\ud800","__proto__":{"a":1}}`);
    expect(await call()).toEqual(first);
  });

  it('ends with its client, unless an Idempotency-Key lets it ask again', async () => {
    world.upstream.onRequest = () => undefined;
    const leaving = async (headers: Record<string, string>) => {
      const client = new AbortController();
      const before = world.upstream.requests.length;
      const asked = fetch(`${world.server.baseUrl}/v1/integrations/${world.id}/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.client.key}`, 'content-type': 'application/json', ...headers },
        body: '{"path":"/slow"}',
        signal: client.signal,
      }).catch(() => undefined);
      await until(() => world.upstream.requests.length > before);
      client.abort();
      await asked;
    };
    await leaving({});
    await until(() => world.upstream.aborted === 1);
    world.upstream.onRequest = (_, response) => void setTimeout(() => response.end('late'), 500);
    await leaving({ 'idempotency-key': 'left-1' });
    const again = () =>
      world.client.rest('POST', `/integrations/${world.id}/call`, {
        body: { path: '/slow' },
        headers: { 'idempotency-key': 'left-1' },
      });
    await until(async () => (await again()).status === 200);
    expect((await again()).body.body).toBe('late');
    expect(world.upstream.requests).toHaveLength(2);
  });
});
