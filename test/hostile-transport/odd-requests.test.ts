import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { exchange } from '../support/http/exchange.js';

const BODY = '{"name":"odd"}';
const JSON_TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
/**
 * The bytes that a server would take for another request when it misjudges the end of the first (request smuggling).
 */
const SMUGGLED = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
const WS = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
const WS_KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

let server: TestServer;
let client: Client;
let auth: string;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  auth = `Authorization: Bearer ${client.key!}`;
});
afterAll(() => server.close());
afterEach(async () => {
  expect((await client.rest('GET', '/workflows')).status).toBe(200);
  expect(server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: string[]) => lines(`GET ${path} HTTP/1.1`, 'Host: localhost', auth, ...headers);
const post = (...headers: string[]) => lines('POST /v1/workflows HTTP/1.1', 'Host: localhost', auth, ...headers);
const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`);

/**
 * Name, bytes, and the only accepted status; `closed` when the connection must end with it, or without a response (0).
 */
type Case = [string, () => string | Buffer, number, 'closed'?];

async function expectAnswer([, bytes, status, closed]: Case): Promise<void> {
  const got = await exchange(server.baseUrl, bytes(), closed ? 2 : 1);
  expect(got.statuses).toEqual(status === 0 ? [] : [status]);
  if (closed) expect(got.closed).toBe(true);
}

function describeCases(title: string, cases: Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', async (...one) => expectAnswer(one));
  });
}

const host = (...values: string[]) =>
  lines('GET /v1/workflows HTTP/1.1', ...values.map((value) => `Host: ${value}`), auth);
describeCases('Host', [
  ['missing', () => host(), 400, 'closed'],
  ['twice', () => host('localhost', 'evil.example'), 400, 'closed'],
  ['twice the same', () => host('localhost', 'localhost'), 400, 'closed'],
  ['with userinfo', () => host('user:pw@localhost'), 400, 'closed'],
  ['with a path', () => host('localhost/evil/../'), 400, 'closed'],
  ['with a space', () => host('local host'), 400, 'closed'],
  ['with a quote', () => host('localhost"><script>'), 400, 'closed'],
  ['of 300 characters', () => host('a'.repeat(300)), 400, 'closed'],
  ['of 20,000 characters', () => host('a'.repeat(20_000)), 431, 'closed'],
  ['half an IPv6 address', () => host('[::1'), 400, 'closed'],
  ['an IPv6 address with a port', () => host('[::1]:4000'), 200],
  ['another name than ours, which we never use', () => host('evil.example:80'), 200],
  ['empty, as RFC 9112 has it for targets without one', () => host(''), 200],
]);

describeCases('Content-Type', [
  ['charset=utf-16, which JSON does not have', () => post(`${JSON_TYPE};charset=utf-16`, LENGTH) + BODY, 201],
  ['upper case and a trailing semicolon', () => post('Content-Type: APPLICATION/JSON;', LENGTH) + BODY, 201],
  ['application/jsonx', () => post(`${JSON_TYPE}x`, LENGTH) + BODY, 415],
  ['twice', () => post(JSON_TYPE, JSON_TYPE, LENGTH) + BODY, 415],
  ['twice, one of them other', () => post(JSON_TYPE, 'Content-Type: text/plain', LENGTH) + BODY, 415],
  [
    'a body in UTF-16',
    () => Buffer.concat([Buffer.from(post(JSON_TYPE, 'Content-Length: 4')), Buffer.from('{}', 'utf16le')]),
    400,
  ],
]);

describeCases('Content-Length', [
  ['too small: the rest is no request', () => post(JSON_TYPE, 'Content-Length: 5') + BODY, 400, 'closed'],
  ['negative', () => post(JSON_TYPE, 'Content-Length: -1') + BODY, 400, 'closed'],
  ['with a plus', () => post(JSON_TYPE, 'Content-Length: +14') + BODY, 400, 'closed'],
  ['hexadecimal', () => post(JSON_TYPE, 'Content-Length: 0xe') + BODY, 400, 'closed'],
  ['beyond all numbers', () => post(JSON_TYPE, `Content-Length: ${'9'.repeat(30)}`) + BODY, 400, 'closed'],
  ['larger than is taken', () => post(JSON_TYPE, 'Content-Length: 9999999999') + BODY, 413],
  ['two different', () => post(JSON_TYPE, LENGTH, 'Content-Length: 0') + BODY, 400, 'closed'],
  ['a list', () => post(JSON_TYPE, 'Content-Length: 14, 14') + BODY, 400, 'closed'],
  ['before Transfer-Encoding', () => post(JSON_TYPE, 'Content-Length: 5', CHUNKED) + CHUNKS + SMUGGLED, 400, 'closed'],
  ['after Transfer-Encoding', () => post(JSON_TYPE, CHUNKED, 'Content-Length: 5') + CHUNKS + SMUGGLED, 400, 'closed'],
]);

const coded = (coding: string, body = CHUNKS) => post(JSON_TYPE, `Transfer-Encoding: ${coding}`) + body + SMUGGLED;
describeCases('Transfer-Encoding', [
  ['unknown', () => coded('xchunked'), 400, 'closed'],
  ['gzip alone', () => coded('gzip'), 400, 'closed'],
  ['gzip, chunked: the coding inside is unknown', () => coded('gzip, chunked'), 400, 'closed'],
  ['chunked, gzip', () => coded('chunked, gzip'), 400, 'closed'],
  ['identity', () => coded('identity', BODY), 400, 'closed'],
  [
    'with a space before the colon',
    () => post(JSON_TYPE, 'Transfer-Encoding : chunked') + CHUNKS + SMUGGLED,
    400,
    'closed',
  ],
  ['folded', () => post(JSON_TYPE, 'Transfer-Encoding:\r\n chunked') + CHUNKS + SMUGGLED, 400, 'closed'],
  ['twice', () => post(JSON_TYPE, CHUNKED, CHUNKED) + CHUNKS + SMUGGLED, 400, 'closed'],
  ['chunks whose size is no number', () => coded('chunked', `zz\r\n${BODY}\r\n0\r\n\r\n`), 400, 'closed'],
  ['chunks of a negative size', () => coded('chunked', `-1\r\n${BODY}\r\n0\r\n\r\n`), 400, 'closed'],
  [
    'chunks of a size beyond all numbers',
    () => coded('chunked', `${'f'.repeat(17)}\r\n${BODY}\r\n0\r\n\r\n`),
    400,
    'closed',
  ],
  ['chunks that end in a bare line feed', () => coded('chunked', `e\n${BODY}\n0\n\n`), 400, 'closed'],
  [
    'a chunk extension of 20,000 characters',
    () => coded('chunked', `e;${'x'.repeat(20_000)}\r\n${BODY}\r\n0\r\n\r\n`),
    413,
    'closed',
  ],
  [
    '2,000 trailers',
    () => coded('chunked', `e\r\n${BODY}\r\n0\r\n${'X: yyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(2_000)}\r\n`),
    431,
    'closed',
  ],
  ['Content-Encoding: gzip', () => post(JSON_TYPE, LENGTH, 'Content-Encoding: gzip') + BODY, 415],
]);

describeCases('Expect and Upgrade', [
  ['100-continue', () => post(JSON_TYPE, LENGTH, 'Expect: 100-continue') + BODY, 201],
  ['another expectation', () => post(JSON_TYPE, LENGTH, 'Expect: 200-ok') + BODY, 417],
  [
    'h2c, as some clients offer it: ignored',
    () => get('/v1/workflows', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    200,
  ],
  ['h2c with a body: ignored', () => post(JSON_TYPE, LENGTH, 'Connection: Upgrade', 'Upgrade: h2c') + BODY, 201],
  [
    'an odd protocol at /graphql: ignored',
    () => get('/graphql?query={__typename}', 'Connection: Upgrade', 'Upgrade: irc/6.9'),
    200,
  ],
  ['WebSocket where there is none', () => get('/v1/workflows', ...WS, WS_KEY), 404, 'closed'],
  [
    'WebSocket of an old version',
    () => get('/graphql', WS[0]!, WS[1]!, 'Sec-WebSocket-Version: 7', WS_KEY),
    400,
    'closed',
  ],
  ['WebSocket without a key', () => get('/graphql', ...WS), 400, 'closed'],
  ['WebSocket by POST', () => lines('POST /graphql HTTP/1.1', 'Host: localhost', ...WS, WS_KEY), 405, 'closed'],
  ['WebSocket with two hosts', () => get('/graphql', 'Host: evil.example', ...WS, WS_KEY), 400, 'closed'],
]);

describeCases('The request line', [
  ['HTTP/1.0: answered and closed', () => lines('GET /v1/workflows HTTP/1.0', auth), 200, 'closed'],
  ['HTTP/1.0 with a body', () => lines('POST /v1/workflows HTTP/1.0', auth, JSON_TYPE, LENGTH) + BODY, 201, 'closed'],
  ['HTTP/1.2', () => lines('GET /livez HTTP/1.2', 'Host: localhost'), 400, 'closed'],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'closed'],
  ['a greeting of TLS', () => Buffer.from('16030100c6010000c20303', 'hex'), 400, 'closed'],
  ['NULs', () => '\0\0\0\0\r\n\r\n', 400, 'closed'],
  ['bare line feeds', () => 'GET /livez HTTP/1.1\nHost: localhost\n\n', 400, 'closed'],
  ['an unknown method', () => lines('BREW /v1/workflows HTTP/1.1', 'Host: localhost', auth), 400, 'closed'],
  ['TRACE', () => lines('TRACE /v1/workflows HTTP/1.1', 'Host: localhost', auth), 405],
  ['CONNECT', () => lines('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'), 0, 'closed'],
  ['the absolute form', () => get('http://evil.example/v1/workflows'), 200],
  ['the absolute form of another scheme', () => get('ftp://evil.example/v1/workflows'), 404],
  ['the asterisk form', () => lines('OPTIONS * HTTP/1.1', 'Host: localhost'), 404],
  ['an empty target', () => get(''), 400, 'closed'],
  ['a space in the target', () => get('/v1/work flows'), 400, 'closed'],
  ['a target of 9,000 characters', () => get(`/v1/workflows/${'a'.repeat(9_000)}`), 404],
  ['a query of 9,000 characters', () => get(`/v1/workflows?x=${'a'.repeat(9_000)}`), 200],
  ['a target of 20,000 characters', () => get(`/v1/workflows?x=${'a'.repeat(20_000)}`), 431, 'closed'],
  ['bytes that are no UTF-8', () => Buffer.from(get('/v1/workflows/\u00ff\u00fe'), 'latin1'), 400, 'closed'],
  ['an encoding of bytes that are no UTF-8', () => get('/v1/workflows/%ff%fe'), 404],
  ['an encoding of nothing, at a page', () => get('/pages/%zz'), 404],
  ['a NUL, at a page', () => get('/pages/%00'), 404],
  ['a way out of the folder', () => get('/pages/../../../package.json'), 404],
  ['an encoded way out of the folder', () => get('/pages/%2e%2e/%2e%2e/package.json'), 404],
]);

describeCases('Headers', [
  ['150 of them', () => get('/v1/workflows', ...many(150)), 200],
  ['1,000 of them', () => get('/v1/workflows', ...many(1_000)), 431, 'closed'],
  ['a NUL in one', () => get('/v1/workflows', 'X: a\0b'), 400, 'closed'],
  ['a line without a colon', () => get('/v1/workflows', 'nonsense'), 400, 'closed'],
  ['a folded one', () => get('/v1/workflows', 'X: a\r\n b'), 400, 'closed'],
  ['a space before the colon', () => get('/v1/workflows', 'X : a'), 400, 'closed'],
]);

describe('pipelining', () => {
  it('answers 100 requests in their order', async () => {
    const requests = Array.from({ length: 100 }, (_, index) => get('/v1/workflows', `X-Request-Id: number-${index}`));
    const { statuses, text } = await exchange(server.baseUrl, requests.join(''), 100);
    expect(statuses).toEqual(Array(100).fill(200));
    const ids = [...text.matchAll(/x-request-id: number-(\d+)/gi)].map(([, number]) => Number(number));
    expect(ids).toEqual(ids.map((_, index) => index));
    expect(ids).toHaveLength(100);
  });

  it('reads nothing after a request that it refuses as malformed', async () => {
    const { statuses } = await exchange(server.baseUrl, host('a', 'b') + get('/v1/workflows'), 2);
    expect(statuses).toEqual([400]);
  });
});
