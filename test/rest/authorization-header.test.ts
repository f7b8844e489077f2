import { startTestServer, type TestServer } from '../support/server.js';
import { head, rawRequest } from './raw-request.js';
import { wrongSecret } from '../support/wrong-secret.js';

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.key();
});
afterAll(() => server.close());

const get = (path: string, ...headers: string[]) => rawRequest(server.baseUrl, head(`GET ${path}`, ...headers));

const FORMS: [string, (key: string) => string[]][] = [
  ['no header', () => []],
  ['an empty header', () => ['Authorization:']],
  ['the key alone', (k) => [`Authorization: ${k}`]],
  ['Bearer alone', () => ['Authorization: Bearer']],
  ['Bearer and a space alone', () => ['Authorization: Bearer ']],
  ['bearer', (k) => [`Authorization: bearer ${k}`]],
  ['BEARER', (k) => [`Authorization: BEARER ${k}`]],
  ['two spaces', (k) => [`Authorization: Bearer  ${k}`]],
  ['a tab', (k) => [`Authorization: Bearer\t${k}`]],
  ['no space', (k) => [`Authorization: Bearer${k}`]],
  ['a colon', (k) => [`Authorization: Bearer: ${k}`]],
  ['quotes', (k) => [`Authorization: Bearer "${k}"`]],
  ['Basic', (k) => [`Authorization: Basic ${Buffer.from(`${k}:`).toString('base64')}`]],
  ['Token', (k) => [`Authorization: Token ${k}`]],
  ['a key and more', (k) => [`Authorization: Bearer ${k} x`]],
  ['two keys with a comma', (k) => [`Authorization: Bearer ${k}, Bearer ${k}`]],
  ['the header twice', (k) => [`Authorization: Bearer ${k}`, `Authorization: Bearer ${k}`]],
  ['the header twice, once empty', (k) => [`Authorization: Bearer ${k}`, 'authorization:']],
  ['another header', (k) => [`X-Api-Key: ${k}`, `Proxy-Authorization: Bearer ${k}`, `Cookie: key=${k}`]],
  ['the key in another case', (k) => [`Authorization: Bearer ${k.toLowerCase()}`]],
  ['a key with one character changed', (k) => [`Authorization: Bearer ${wrongSecret(k)}`]],
  ['a key cut short', (k) => [`Authorization: Bearer ${k.slice(0, -1)}`]],
  ['a very long text', () => [`Authorization: Bearer wfk_${'a'.repeat(10_000)}`]],
];

describe.each(['/v1/workflows', '/v1/nothing', '/graphql?query={__typename}', '/graphql/stream'])('%s', (path) => {
  it.each(FORMS)('refuses %s', async (_, headers) => {
    const answer = await get(path, ...headers(key));
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    const body = JSON.parse(answer.body);
    expect(body.code ?? body.errors[0].extensions.code).toMatch(/^unauthorized$/i);
    expect(answer.body).not.toContain(key);
  });

  it('refuses a key in the query', async () => {
    const query = `${path.includes('?') ? '&' : '?'}access_token=${key}&key=${key}&api_key=${key}&authorization=Bearer%20${key}`;
    expect((await get(path + query)).status).toBe(401);
  });
});

describe('/v1', () => {
  it('takes Bearer, one space, the key; white space around a header value is no part of it', async () => {
    for (const header of [
      `Authorization: Bearer ${key}`,
      `authorization:Bearer ${key}`,
      `AUTHORIZATION:  Bearer ${key} \t`,
    ]) {
      expect((await get('/v1/workflows', header)).status).toBe(200);
    }
  });

  it('never takes a NUL in the header', async () => {
    // Node itself refuses such a request as no HTTP.
    expect((await get('/v1/workflows', `Authorization: Bearer ${key}\0`)).status).toBe(400);
  });
});
