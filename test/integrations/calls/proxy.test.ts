import { request as send, type IncomingMessage } from 'node:http';
import { Client } from '../../support/http/client.js';
import { signedIn } from '../../support/worlds/people.js';
import { CallWorld, KEY } from './upstream.js';

const RECEIVED = (status: number) => `workflow-gateway; received-status=${status}`;
const DENIED = 'workflow-gateway; error=http_request_denied';
const FAULTY = 'workflow-gateway; error=http_request_error';
const ORIGIN = 'https://page.example';

describe('the proxy of a connected application', () => {
  let world: CallWorld;
  beforeAll(async () => {
    world = await CallWorld.open({ env: { CORS_ORIGINS: ORIGIN } });
  });
  beforeEach(() => world.upstream.reset());
  afterAll(() => world.close());

  /** A request with a path and a method that `fetch` would change. @returns its response, without the body. */
  const raw = (path: string, method = 'GET', headers: Record<string, string> = {}, id = world.id) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port } = new URL(world.server.baseUrl);
      const authorization = `Bearer ${world.client.key}`;
      const options = { hostname, port, method, path: `/v1/integrations/${id}/proxy${path}` };
      const asked = send({ ...options, headers: { authorization, ...headers }, agent: false }, (response) => {
        response.resume();
        resolve(response);
      });
      asked.once('upgrade', (response) => resolve(response));
      asked.once('error', reject);
      asked.end();
    });

  it('passes the request on and the response back as they are', async () => {
    world.upstream.onRequest = (_, response) => {
      response.writeHead(207, {
        'X-Answer': ['a', 'b'],
        // The bytes of UTF-8.
        'X-Name': Buffer.from('\u20ac').toString('latin1'),
        'content-type': 'application/x-mine',
        etag: '"1"',
        date: 'now',
      });
      // With a text Node would encode the headers as UTF-8.
      response.end(Buffer.from('the body'));
    };
    const response = await world.proxy('/items?a=%20b&a=c', {
      method: 'PROPFIND',
      headers: { 'x-mine': '1', 'idempotency-key': 'k', 'content-type': 'text/x', cookie: 'a=b', 'if-match': '"x"' },
      body: 'sent',
    });
    expect([response.status, await response.text()]).toEqual([207, 'the body']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-answer': 'a, b',
      'x-name': Buffer.from('\u20ac').toString('latin1'),
      'content-type': 'application/x-mine',
      etag: '"1"',
      date: 'now',
      'proxy-status': RECEIVED(207),
      'x-request-id': expect.any(String),
    });
    const { headers, ...sent } = world.upstream.last;
    expect(sent).toMatchObject({ method: 'PROPFIND', url: '/base/items?a=%20b&a=c' });
    expect(headers).toMatchObject({
      'x-mine': ['1'],
      'x-api-key': [KEY],
      'idempotency-key': ['k'],
      'content-type': ['text/x'],
      'if-match': ['"x"'],
      'workflow-hops': ['1'],
    });
    for (const name of ['authorization', 'cookie', 'x-request-id']) expect(headers).not.toHaveProperty(name);
  });

  it.each([
    ['', '/base'],
    ['/', '/base/'],
    ['?a=1', '/base?a=1'],
    ['/a//b/', '/base/a//b/'],
    ['/a%2Fb?c=%2F..%2F', '/base/a%2Fb?c=%2F..%2F'],
    [`/~'"<>[]{}|^\`?'"<>[]{}|^\``, `/base/~'"<>[]{}|^\`?'"<>[]{}|^\``],
  ])('sends path and query byte by byte: %s', async (path, arrived) => {
    expect((await raw(path)).statusCode).toBe(200);
    expect(world.upstream.last.url).toBe(arrived);
  });

  it.each([
    '/..',
    '/.',
    '/a/../b',
    '/%2e%2e/b',
    '/a/..%2fb',
    '/a/%2e/b',
    '/..;x/b',
    '//evil.test/',
    '/\\evil.test',
    '/a#b',
  ])('refuses the path %s', async (path) => {
    const response = await raw(path);
    expect([response.statusCode, response.headers['proxy-status']]).toEqual([400, FAULTY]);
    expect(world.upstream.requests).toEqual([]);
  });

  it('lets neither headers of the connection through, nor the caller\u2019s in the place of the credentials', async () => {
    await raw('/x', 'GET', {
      connection: 'close, x-hop, x-api-key, workflow-hops',
      'x-hop': '1',
      te: 'trailers',
      'x-latin': 'caf\u00e9',
      'X-API-KEY': 'forged',
      'X-Forwarded-For': '1.2.3.4',
      'x-forwarded-whatever': '1',
      forwarded: 'for=1.2.3.4',
      'workflow-hops': '3',
      'x-request-id': 'mine',
      'accept-encoding': 'br',
    });
    const { headers } = world.upstream.last;
    expect(headers).toMatchObject({ 'x-api-key': [KEY], 'workflow-hops': ['4'], 'accept-encoding': ['br'] });
    expect(headers['x-latin']).toEqual(['caf\u00e9']);
    const others = ['x-hop', 'te', 'x-forwarded-for', 'x-forwarded-whatever', 'forwarded', 'x-request-id'];
    for (const name of others) expect(headers).not.toHaveProperty(name);
    await raw('/x?API_KEY=1&api_key=forged&b=1', 'GET', {}, world.queryId);
    expect(world.upstream.last.url).toBe(`/base/x?API_KEY=1&b=1&api_key=${KEY}`);
  });

  it('lets no header back that would govern the origin of the service', async () => {
    world.upstream.onRequest = (_, response) => {
      response.writeHead(200, {
        connection: 'close, x-hop',
        'x-hop': '1',
        'set-cookie': ['session=forged'],
        'clear-site-data': '"*"',
        'strict-transport-security': 'max-age=1',
        nel: '{}',
        'service-worker-allowed': '/',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'x-request-id': 'theirs',
        vary: 'X-Mine',
        'proxy-status': 'cdn; error=dns_error',
      });
      response.end();
    };
    const { headers } = await world.proxy('/x', { headers: { origin: ORIGIN } });
    const shown = Object.fromEntries(headers);
    for (const name of ['x-hop', 'set-cookie', 'clear-site-data', 'strict-transport-security', 'nel'])
      expect(shown).not.toHaveProperty(name);
    expect(shown).not.toHaveProperty('service-worker-allowed');
    expect(shown).not.toHaveProperty('access-control-allow-credentials');
    expect(shown).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      vary: 'Origin, X-Mine, Authorization, Cookie',
    });
    expect(shown['access-control-expose-headers']).toContain('Proxy-Status');
    expect(shown['x-request-id']).not.toBe('theirs');
    expect(shown['proxy-status']).toBe(`cdn; error=dns_error, ${RECEIVED(200)}`);
  });

  it.each([
    'x-accel-buffering',
    'x-accel-charset',
    'x-accel-expires',
    'x-accel-limit-rate',
    'x-accel-redirect',
    'x-lighttpd-send-file',
    'x-litespeed-location',
    'x-reproxy-url',
    'x-sendfile',
    'x-sendfile2',
    'cloudflare-cdn-cache-control',
    'edge-control',
  ])('lets no command to a proxy in front of the service back: %s', async (name) => {
    world.upstream.onRequest = (_, response) => response.writeHead(200, { [name]: '/x', 'x-other': '1' }).end('{}');
    const { headers } = await world.proxy('/x');
    expect([headers.get(name), headers.get('x-other')]).toEqual([null, '1']);
  });

  it.each([
    [undefined, 'private'],
    ['no-store', 'private, no-store'],
    ['public, max-age=600, immutable', 'private, max-age=600, immutable'],
    ['PUBLIC,S-MaxAge = "60", must-revalidate', 'private, must-revalidate'],
    ['max-age=5, private="set-cookie", no-cache="a, public", x=y', 'private, max-age=5, no-cache="a, public", x=y'],
    [['public', 'max-age=1'], 'private, max-age=1'],
  ])('lets no shared cache store a response with %j', async (given, expected) => {
    world.upstream.onRequest = (_, response) => {
      if (given !== undefined) response.setHeader('cache-control', given);
      response.setHeader('vary', 'Accept');
      response.writeHead(200, { 'cdn-cache-control': 'max-age=600', 'surrogate-control': 'max-age=600' }).end('{}');
    };
    const { headers } = await world.proxy('/x');
    const shown = Object.fromEntries(headers);
    expect(shown).toMatchObject({ 'cache-control': expected, vary: 'Origin, Accept, Authorization, Cookie' });
    for (const name of ['cdn-cache-control', 'surrogate-control']) expect(shown).not.toHaveProperty(name);
  });

  it('passes HEAD and OPTIONS on, but answers a preflight itself', async () => {
    world.upstream.onRequest = ({ method }, response) =>
      method === 'HEAD'
        ? response.writeHead(200, { 'content-length': 99_999_999 }).end()
        : response.writeHead(200, { allow: 'GET' }).end('GET');
    const head = await raw('/x', 'HEAD');
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '99999999']);
    for (const headers of [{}, { origin: ORIGIN }] as Record<string, string>[]) {
      const options = await raw('/x', 'OPTIONS', headers);
      expect([options.statusCode, options.headers.allow]).toEqual([200, 'GET']);
    }
    expect(world.upstream.requests.map(({ method }) => method)).toEqual(['HEAD', 'OPTIONS', 'OPTIONS']);
    const asking = {
      origin: ORIGIN,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-a',
    };
    const preflight = await raw('/x', 'OPTIONS', { ...asking, authorization: '' });
    expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'PATCH']);
    const unlisted = await raw('/x', 'OPTIONS', { ...asking, origin: 'https://other.example' });
    expect([unlisted.statusCode, unlisted.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    expect(world.upstream.requests).toHaveLength(3);
  });

  it('says who refused: the application or the service', async () => {
    world.upstream.onRequest = (_, response) => response.writeHead(403).end();
    expect((await raw('/x')).headers['proxy-status']).toBe(RECEIVED(403));
    const refusals: [number, string, Promise<IncomingMessage>][] = [
      [401, DENIED, raw('/x', 'GET', { authorization: 'Bearer no' })],
      [403, DENIED, raw('/x', 'GET', { authorization: `Bearer ${await world.server.key('read-only')}` })],
      [404, DENIED, raw('/x', 'GET', {}, 'int_01kagrx8010000000000000000')],
      [404, DENIED, raw('/x', 'GET', {}, 'int_%zz')],
      [405, FAULTY, raw('/x', 'TRACE')],
      [413, DENIED, raw('/x', 'POST', { 'content-length': String(5 * 1_048_576 + 1) })],
      [400, FAULTY, raw('/x', 'GET', { connection: 'upgrade', upgrade: 'websocket' })],
    ];
    for (const [status, word, asked] of refusals) {
      const { statusCode, headers } = await asked;
      expect([statusCode, headers['proxy-status']]).toEqual([status, word]);
    }
    const foreign = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    const { status, body } = await foreign.send('GET', `/v1/integrations/${world.id}/proxy/x`);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
    const session = await world.integrations.post('/connect_sessions', { type: 'raw_app' });
    const browser = new Client(world.server.baseUrl, session.body.token as string);
    expect((await browser.send('GET', `/v1/integrations/${world.id}/proxy/x`)).status).toBe(403);
    expect(world.upstream.requests).toHaveLength(1);
  });

  it('follows no redirect', async () => {
    world.upstream.onRequest = (_, response) =>
      response.writeHead(307, { location: `${world.upstream.url}/else` }).end();
    const { statusCode, headers } = await raw('/x', 'POST');
    expect([statusCode, headers.location]).toEqual([307, `${world.upstream.url}/else`]);
    expect(world.upstream.requests).toHaveLength(1);
  });

  it('takes a request whose target has an authority, which goes nowhere', async () => {
    const { hostname, port } = new URL(world.server.baseUrl);
    const path = `http://evil.test/v1/integrations/${world.id}/proxy/x`;
    const headers = { authorization: `Bearer ${world.client.key}` };
    const status = await new Promise((resolve, reject) =>
      send({ hostname, port, path, headers, agent: false }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end(),
    );
    expect([status, world.upstream.last.url]).toEqual([200, '/base/x']);
  });

  it('says why there is no answer', async () => {
    world.upstream.onRequest = (request) => request.socket.destroy();
    const cut = await raw('/x');
    expect([cut.statusCode, cut.headers['proxy-status']]).toEqual([
      502,
      'workflow-gateway; error=connection_terminated',
    ]);
    world.upstream.onRequest = (_, response) =>
      response.writeHead(200, { 'content-length': 25 * 1_048_576 + 1 }).end('x');
    const large = await raw('/x');
    expect([large.statusCode, large.headers['proxy-status']]).toEqual([
      502,
      'workflow-gateway; error=http_response_body_size',
    ]);
    const lost = await world.integrations.post('/integrations/connect', {
      type: 'raw_app',
      credentials: { api_key: KEY },
    });
    await world.integrations.post(`/integrations/${lost.body.id}/disconnect`);
    const gone = await world.proxy('/x', {}, lost.body.id);
    expect([gone.status, gone.headers.get('proxy-status')]).toEqual([409, DENIED]);
    expect(await gone.json()).toMatchObject({ code: 'not_connected' });
  });

  it('isolates a document that a browser with a session might show', async () => {
    world.upstream.onRequest = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "img-src 'self'" }).end('<p>');
    const byKey = await raw('/x');
    expect(byKey.headers['content-security-policy']).toBe("img-src 'self'");
    const { cookie } = await signedIn(world.server);
    const { baseUrl } = world.server;
    const byPerson = await fetch(`${baseUrl}/v1/integrations/${world.id}/proxy/x`, {
      headers: { cookie, origin: baseUrl },
    });
    expect(byPerson.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
    expect(byPerson.headers.get('x-content-type-options')).toBe('nosniff');
    expect(world.upstream.last.headers).not.toHaveProperty('cookie');
    expect((await raw('/x', 'GET', { cookie, authorization: '', origin: ORIGIN })).statusCode).toBe(401);
    expect(world.upstream.requests).toHaveLength(2);
  });
});
