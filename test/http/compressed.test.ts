import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let key: string;
let short: string;
let long: string;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  key = await server.key();
  const client = new Client(server.baseUrl, key);
  const make = async (description: string) =>
    (await client.rest('POST', '/workflows', { body: { name: 'w', description } })).body.id as string;
  short = await make('short');
  long = await make('long '.repeat(199));
});
afterAll(() => server.close());

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The bytes on the wire: `fetch` would decompress them. */
function raw(path: string, encoding?: string, method = 'GET'): Promise<Raw> {
  const headers = {
    authorization: `Bearer ${key}`,
    // An error names its request.
    'x-request-id': 'the-same',
    ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
  };
  return new Promise((resolve, reject) => {
    const request = get(server.baseUrl + path, { headers, method, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on('error', reject);
  });
}

const graphql = (id: string) =>
  `/graphql?query=${encodeURIComponent(`{ workflow(id: "${id}") { id name description } }`)}`;

it.each([
  ['REST', () => `/v1/workflows/${long}`],
  ['GraphQL', () => graphql(long)],
  ['an error of GraphQL', () => `/graphql?query=${encodeURIComponent(`{ a b c d e f g h }`)}`],
  ['the schema', () => '/schema.graphql'],
  ['OpenAPI', () => '/openapi.json'],
])('a long response of %s is compressed for a client that accepts gzip', async (_, path) => {
  const plain = await raw(path());
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.headers.vary).toContain('Accept-Encoding');
  expect(plain.headers['content-length']).toBe(String(plain.body.length));
  const packed = await raw(path(), 'deflate, gzip;q=0.8');
  expect([packed.status, packed.headers['content-encoding']]).toEqual([plain.status, 'gzip']);
  expect(packed.headers['content-length']).toBe(String(packed.body.length));
  expect(gunzipSync(packed.body)).toEqual(plain.body);
  expect(packed.body.length).toBeLessThan(plain.body.length / 2);
});

it.each(['gzip;q=0', 'identity', 'br', '*;q=0', 'nonsense;;;'])(
  'Accept-Encoding: %s gets it as it is',
  async (value) => {
    const { headers, body } = await raw(`/v1/workflows/${long}`, value);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(body.toString())).toMatchObject({ id: long });
  },
);

it('a short response is sent as it is', async () => {
  for (const path of [`/v1/workflows/${short}`, graphql(short)]) {
    const { headers, body } = await raw(path, 'gzip');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.stringify(JSON.parse(body.toString()))).toContain(short);
  }
});

it('HEAD has the headers of the uncompressed response', async () => {
  const { headers, body } = await raw(`/v1/workflows/${long}`, 'gzip', 'HEAD');
  expect([body.length, headers['content-encoding']]).toEqual([0, undefined]);
  expect(headers['content-length']).toBe((await raw(`/v1/workflows/${long}`)).headers['content-length']);
});
