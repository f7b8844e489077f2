import { gzipSync } from 'node:zlib';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { head, rawRequest } from './raw-request.js';

let server: TestServer;
let client: Client;
let auth: string;
let workflowId: string;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  auth = `Authorization: Bearer ${client.key!}`;
  workflowId = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
});
afterAll(() => server.close());

const JSON_TYPE = 'Content-Type: application/json';

async function post(path: string, body: string | Buffer, ...headers: string[]) {
  const bytes = Buffer.from(body);
  const start = head(`POST /v1${path}`, auth, `Content-Length: ${bytes.length}`, ...headers);
  const { status, body: text } = await rawRequest(server.baseUrl, Buffer.concat([Buffer.from(start), bytes]));
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

function postChunked(path: string, chunks: string[], ...headers: string[]) {
  const start = head(`POST /v1${path}`, auth, 'Transfer-Encoding: chunked', ...headers);
  const rest = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
  return rawRequest(server.baseUrl, `${start}${rest}0\r\n\r\n`);
}

const trigger = (config: string) => `{"workflow_id":"${workflowId}","type":"manual","config":${config}}`;

describe('the size of a body', () => {
  const ofSize = (size: number) => `{"name":"x","pad":"${'p'.repeat(size - 21)}"}`;

  it('may be 102,400 bytes and not one more', async () => {
    expect(Buffer.byteLength(ofSize(102_400))).toBe(102_400);
    expect((await post('/workflows', ofSize(102_400), JSON_TYPE)).status).toBe(201);
    expect(await post('/workflows', ofSize(102_401), JSON_TYPE)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  it('is counted in bytes, and the same in chunks', async () => {
    const halves = (text: string) => [text.slice(0, 60_000), text.slice(60_000)];
    expect((await postChunked('/workflows', halves(ofSize(102_400)), JSON_TYPE)).status).toBe(201);
    expect((await postChunked('/workflows', halves(ofSize(102_401)), JSON_TYPE)).status).toBe(413);
    expect((await post('/workflows', `{"name":"x","pad":"${'ä'.repeat(51_200)}"}`, JSON_TYPE)).status).toBe(413);
  });

  it('is not waited for beyond the limit', async () => {
    const start = head('POST /v1/workflows', auth, JSON_TYPE, 'Transfer-Encoding: chunked');
    const chunk = `19001\r\n${'x'.repeat(102_401)}\r\n`;
    expect((await rawRequest(server.baseUrl, start + chunk)).status).toBe(413);
  });
});

describe('the type of a body', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8;x=y',
  ])('may be %s', async (type) => {
    expect((await post('/workflows', '{"name":"x"}', `Content-Type: ${type}`)).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'text/json',
    'multipart/form-data; boundary=application/json',
    'text/plain, application/json',
    '',
  ])('may not be "%s"', async (type) => {
    expect(await post('/workflows', '{"name":"x"}', `Content-Type: ${type}`)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it('says nothing about an encoding: JSON is UTF-8', async () => {
    const latin1 = Buffer.from('{"name":"caf\u00e9"}', 'latin1');
    const header = 'Content-Type: application/json; charset=iso-8859-1';
    expect(await post('/workflows', latin1, header)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(await post('/workflows', Buffer.from('{"name":"x"}', 'utf16le'), JSON_TYPE)).toMatchObject({
      body: { code: 'invalid_json' },
    });
    expect((await post('/workflows', '{"name":"caf\u00e9"}', header)).body.name).toBe('café');
  });

  it('has no content coding', async () => {
    const zipped = gzipSync('{"name":"x"}');
    expect((await post('/workflows', zipped, JSON_TYPE, 'Content-Encoding: gzip')).status).toBe(415);
    expect((await post('/workflows', '{"name":"x"}', JSON_TYPE, 'Content-Encoding: identity')).status).toBe(201);
  });
});

describe('an absent body', () => {
  it('counts as {} and needs no type', async () => {
    for (const headers of [[], ['Content-Length: 0'], ['Content-Type: text/plain', 'Content-Length: 0']]) {
      const { status, body } = await rawRequest(
        server.baseUrl,
        head(`PUT /v1/workflows/${workflowId}`, auth, ...headers),
      );
      expect([status, JSON.parse(body).id]).toEqual([200, workflowId]);
    }
    expect((await postChunked('/workflows', [])).status).toBe(400);
    expect(JSON.parse((await postChunked('/workflows', [])).body).details).toEqual([
      { field: 'name', message: 'is required' },
    ]);
  });

  it('is what GET has: one that comes with it is not looked at', async () => {
    const answer = await rawRequest(server.baseUrl, `${head('GET /v1/workflows', auth, 'Content-Length: 1')}{`);
    expect(answer.status).toBe(200);
  });
});

describe('the JSON of a body', () => {
  it.each([
    '',
    ' ',
    '{',
    '{"name":"x",}',
    "{'name':'x'}",
    '{"name":"x"} x',
    '{"name":"\u0001"}',
    '{name:1}',
    '\u00a0{}',
    'undefined',
    'NaN',
  ])('is refused when it is %j', async (text) => {
    const body = await post('/workflows', text === '' ? ' ' : text, JSON_TYPE);
    expect(body).toMatchObject({ status: 400, body: { code: 'invalid_json', message: expect.any(String) } });
    expect(body.body).not.toHaveProperty('details');
  });

  it.each(['[]', '"text"', '1', 'true', 'null', '[{"name":"x"}]'])(
    'must be an object, which %s is not',
    async (text) => {
      expect(await post('/workflows', text, JSON_TYPE)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    },
  );

  it('may begin with a byte order mark and hold white space around', async () => {
    expect((await post('/workflows', '\ufeff\r\n\t {"name":"x"} \n', JSON_TYPE)).status).toBe(201);
  });

  it('gives the last of two equal keys', async () => {
    expect((await post('/workflows', '{"name":1,"name":"last"}', JSON_TYPE)).body.name).toBe('last');
  });

  it('is nested 200 levels deep at most, counted over the whole body', async () => {
    const nested = (levels: number) => trigger(`{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}`);
    const { status, body } = await post('/triggers', nested(200), JSON_TYPE);
    expect(status).toBe(201);
    expect(JSON.stringify(body.config)).toBe(`{"a":${'['.repeat(198)}${']'.repeat(198)}}`);
    expect(await post('/triggers', nested(201), JSON_TYPE)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field: 'body' }] },
    });
    const objects = '{"a":'.repeat(25_000) + '1' + '}'.repeat(25_000 - 13_000);
    expect((await post('/workflows', objects.slice(0, 102_000), JSON_TYPE)).body.code).toBe('invalid_json');
  });

  it('keeps the client’s own JSON: order, `__proto__`, numbers as JSON.parse reads them', async () => {
    const config =
      '{"z":1,"__proto__":{"admin":true},"constructor":{"prototype":1},"1":"x","a":[1.50,1e300,-0,12345678901234567890],"":null}';
    const { status, body } = await post('/triggers', trigger(config), JSON_TYPE);
    expect(status).toBe(201);
    expect(JSON.stringify(body.config)).toBe(JSON.stringify(JSON.parse(config)));
    const read = await client.rest('GET', `/triggers/${body.id}`);
    expect(JSON.stringify(read.body.config)).toBe(JSON.stringify(JSON.parse(config)));
  });

  it('refuses a number that would become null', async () => {
    const answer = await post('/triggers', trigger('{"a":{"b":[1,-1e400]}}'), JSON_TYPE);
    const details = [{ field: 'config.a.b.1', message: 'exceeds the range of a double' }];
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error', details } });
  });

  it('gives no field through a prototype', async () => {
    for (const text of ['{"__proto__":{"name":"x"}}', '{"constructor":{"name":"x"}}', '{"prototype":{"name":"x"}}']) {
      expect((await post('/workflows', text, JSON_TYPE)).body.details).toEqual([
        { field: 'name', message: 'is required' },
      ]);
    }
    const { body } = await post('/workflows', '{"name":"x","__proto__":{"status":"active"},"toString":"y"}', JSON_TYPE);
    expect(body.status).toBe('draft');
  });
});
