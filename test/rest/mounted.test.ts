import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let key: string;
const opened: HttpServer[] = [];

beforeAll(async () => {
  server = await startTestServer();
  key = await server.key();
});
afterAll(async () => {
  for (const http of opened) http.close();
  await server.close();
});

/** Another Express app with our router in it. @returns where `/v1` is. */
async function mount(path: string, ...before: RequestHandler[]): Promise<string> {
  const app = express();
  for (const handler of before) app.use(handler);
  app.use(path, server.restRouter);
  app.use((_request, response) => void response.status(418).end());
  const http = createServer(app);
  opened.push(http);
  await new Promise<void>((resolve) => http.listen(0, resolve));
  return `http://localhost:${(http.address() as AddressInfo).port}${path}`;
}

type Answer = { status: number; type: string | null; body: any; requestId: string | null };

async function call(base: string, method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const answer: Answer = {
    status: response.status,
    type: response.headers.get('content-type'),
    body: text === '' ? undefined : JSON.parse(text),
    requestId: response.headers.get('x-request-id'),
  };
  return answer;
}

/** Generous parsers, so that what we refuse is refused by us. */
const PARSERS: [string, string, RequestHandler[]][] = [
  ['alone', '/v1', []],
  ['at another path', '/api/automation', []],
  ['behind express.json()', '/v1', [express.json()]],
  ['behind a lax express.json()', '/v1', [express.json({ strict: false, limit: '10mb' })]],
  ['behind express.urlencoded()', '/v1', [express.urlencoded({ extended: true })]],
  ['behind express.raw()', '/v1', [express.raw({ type: () => true, limit: '10mb' })]],
];

describe.each(PARSERS)('the REST router %s', (_, path, before) => {
  let base: string;
  beforeAll(async () => {
    base = await mount(path, ...before);
  });

  it('creates, reads, changes and deletes', async () => {
    const created = await call(base, 'POST', '/workflows', '{"name":"mounted","description":"d"}');
    expect([created.status, created.body.name]).toEqual([201, 'mounted']);
    const one = `/workflows/${created.body.id}`;
    expect((await call(base, 'GET', `${one}?x=1`)).body).toMatchObject(created.body);
    expect((await call(base, 'PUT', one, '{"name":"new"}')).body.name).toBe('new');
    expect((await call(base, 'PUT', `${one}/`)).body.name).toBe('new');
    expect((await call(base, 'GET', '/workflows?per_page=1')).body.meta.per_page).toBe(1);
    expect((await call(base, 'DELETE', one)).status).toBe(204);
    expect((await call(base, 'HEAD', '/workflows')).status).toBe(200);
  });

  it('keeps the JSON of a config as it was sent', async () => {
    const { id } = (await call(base, 'POST', '/workflows', '{"name":"x"}')).body;
    const config = '{"z":1,"__proto__":{"a":[1,null]},"b":"\\u0022"}';
    const { body } = await call(
      base,
      'POST',
      '/triggers',
      `{"workflow_id":"${id}","type":"manual","config":${config}}`,
    );
    expect(JSON.stringify(body.config)).toBe(JSON.stringify(JSON.parse(config)));
  });

  it.each<[string, number, string, Parameters<typeof call> extends [string, ...infer Rest] ? Rest : never]>([
    ['a wrong key', 401, 'unauthorized', ['GET', '/workflows', undefined, { authorization: 'Bearer x' }]],
    ['an unknown path', 404, 'not_found', ['GET', '/nothing']],
    ['the root', 404, 'not_found', ['GET', '']],
    ['bad percent-encoding', 404, 'not_found', ['GET', '/workflows/%ZZ']],
    ['a wrong method', 405, 'method_not_allowed', ['PATCH', '/workflows']],
    ['a wrong type', 415, 'unsupported_media_type', ['POST', '/workflows', 'x=1', { 'content-type': 'text/plain' }]],
    [
      'a form',
      415,
      'unsupported_media_type',
      ['POST', '/workflows', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ],
    ['a list', 400, 'invalid_json', ['POST', '/workflows', '[{"name":"x"}]']],
    ['a missing name', 400, 'validation_error', ['POST', '/workflows', '{}']],
    ['no body', 400, 'validation_error', ['POST', '/workflows']],
    [
      '201 levels',
      400,
      'validation_error',
      ['POST', '/workflows', `{"name":"x","a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ],
    [
      '20,000 levels',
      400,
      'validation_error',
      ['POST', '/workflows', `{"name":"x","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ],
    ['an unknown id', 404, 'not_found', ['GET', '/workflows/nonsense']],
  ])('answers %s with %i %s', async (_what, status, code, request) => {
    const answer = await call(base, ...request);
    expect(answer).toMatchObject({ status, type: 'application/json; charset=utf-8', body: { code } });
    expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe.each(PARSERS.filter(([name]) => name !== 'behind express.json()'))('the REST router %s', (_, path, before) => {
  it('takes 102,400 bytes and not one more, with a length or in chunks', async () => {
    const base = await mount(path, ...before);
    const ofSize = (size: number) => `{"name":"x","pad":"${'p'.repeat(size - 21)}"}`;
    expect((await call(base, 'POST', '/workflows', ofSize(102_400))).status).toBe(201);
    expect(await call(base, 'POST', '/workflows', ofSize(102_401))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    const chunked = (text: string) =>
      fetch(`${base}/workflows`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      });
    expect((await chunked(ofSize(102_400))).status).toBe(201);
    expect((await chunked(ofSize(102_401))).status).toBe(413);
  });
});
