import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { head, rawRequest } from './raw-request.js';

const NOBODY = 'wf_01h455vb4pex5vsknk084sn02q';
const JSON_TYPE = 'Content-Type: application/json';

let server: TestServer;
let writer: string;
let reader: string;
let foreign: string;

beforeAll(async () => {
  server = await startTestServer();
  [writer, reader] = [await server.key(), await server.key('read-only')];
  const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
  foreign = (await other.rest('POST', '/workflows', { body: { name: 'theirs' } })).body.id;
});
afterAll(() => server.close());

/** A request whose body is only announced: an answer proves that nothing of the body was waited for. */
const announced = (line: string, key: string, ...headers: string[]) =>
  rawRequest(server.baseUrl, head(line, `Authorization: Bearer ${key}`, 'Content-Length: 99999999', ...headers));

function send(line: string, key: string, body: string, ...headers: string[]) {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return rawRequest(server.baseUrl, head(line, `Authorization: Bearer ${key}`, length, ...headers) + body);
}

const codeOf = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body).code];
const HUGE = JSON.stringify({ name: 'x'.repeat(102_400) });

describe('the first fault in this order is answered', () => {
  it('401 before 404 for the path, 405, 403, 413, 415', async () => {
    for (const line of ['GET /v1/nothing', 'PATCH /v1/workflows', 'POST /v1/workflows', 'POST /v1/%ZZ']) {
      expect(codeOf(await announced(line, 'wfk_wrong'))).toEqual([401, 'unauthorized']);
    }
  });

  it('404 for the path before 403 and the body', async () => {
    for (const line of [
      'POST /v1/nothing',
      'DELETE /v1',
      'POST /v1/workflows/a/b/c/d',
      'PUT /v1/%E0%A4%A',
      'POST /v1/workflows/%',
    ]) {
      expect(codeOf(await announced(line, reader))).toEqual([404, 'not_found']);
    }
  });

  it('405 before 403 and the body, naming what the path takes', async () => {
    const answer = await announced('PATCH /v1/workflows', reader);
    expect(codeOf(answer)).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
    expect((await announced(`POST /v1/workflows/${NOBODY}`, reader)).headers.allow).toBe('GET, HEAD, PUT, DELETE');
    expect((await announced('GET /v1/integrations/connect/', reader)).headers.allow).toBe('POST');
  });

  it('403 before 413, 415, the JSON and the resource', async () => {
    for (const line of ['POST /v1/workflows', `PUT /v1/workflows/${NOBODY}`, `DELETE /v1/workflows/${foreign}`]) {
      expect(codeOf(await announced(line, reader))).toEqual([403, 'forbidden']);
      expect(codeOf(await send(line, reader, '{', 'Content-Type: text/plain'))).toEqual([403, 'forbidden']);
    }
    expect(codeOf(await announced('POST /v1/api_keys', writer))).toEqual([403, 'forbidden']);
  });

  it('413 before 415 and the JSON', async () => {
    expect(codeOf(await announced('POST /v1/workflows', writer, 'Content-Type: text/plain'))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(codeOf(await send('POST /v1/workflows', writer, `${HUGE}{`, JSON_TYPE))).toEqual([413, 'payload_too_large']);
  });

  it('415 before the JSON', async () => {
    expect(codeOf(await send('POST /v1/workflows', writer, '{', 'Content-Type: text/plain'))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(codeOf(await send('POST /v1/workflows', writer, '{'))).toEqual([415, 'unsupported_media_type']);
  });

  it('invalid_json before validation_error', async () => {
    const deep = '['.repeat(201);
    for (const body of ['{"name":""', '[]', '"name"', 'null', '1', deep, deep + ']'.repeat(201), `{"a":${deep}}`]) {
      expect([body, ...codeOf(await send('POST /v1/workflows', writer, body, JSON_TYPE))]).toEqual([
        body,
        400,
        'invalid_json',
      ]);
    }
  });

  it('validation_error before 404 and 401 for the resource', async () => {
    for (const id of [NOBODY, foreign, 'nonsense']) {
      expect(codeOf(await send(`PUT /v1/workflows/${id}`, writer, '{"name":""}', JSON_TYPE))).toEqual([
        400,
        'validation_error',
      ]);
      const schedule = { workflow_id: id, type: 'schedule', config: { cron: '0 0 32 * *' } };
      expect(codeOf(await send('POST /v1/triggers', writer, JSON.stringify(schedule), JSON_TYPE))).toEqual([
        400,
        'validation_error',
      ]);
      const actions = '{"actions":[{"name":"","kind":"delay","config":{}}]}';
      expect(codeOf(await send(`PUT /v1/workflows/${id}/actions`, writer, actions, JSON_TYPE))).toEqual([
        400,
        'validation_error',
      ]);
      expect(codeOf(await send(`GET /v1/workflows/${id}/runs?page=0`, writer, ''))).toEqual([400, 'validation_error']);
    }
  });

  it('404 for an unknown resource, 401 for one of another account', async () => {
    expect(codeOf(await send(`PUT /v1/workflows/${NOBODY}`, writer, '{}', JSON_TYPE))).toEqual([404, 'not_found']);
    const answer = await send(`PUT /v1/workflows/${foreign}`, writer, '{}', JSON_TYPE);
    expect(codeOf(answer)).toEqual([401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('paths', () => {
  it('HEAD is GET without its body', async () => {
    const client = new Client(server.baseUrl, writer);
    const [get, headed] = [await client.rest('GET', '/workflows'), await client.rest('HEAD', '/workflows')];
    expect([headed.status, headed.body]).toEqual([200, undefined]);
    expect(headed.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(headed.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await client.rest('HEAD', `/workflows/${NOBODY}`)).status).toBe(404);
    expect((await client.rest('HEAD', `/integrations/${NOBODY}/test`)).status).toBe(405);
  });

  it('a trailing slash changes nothing, a doubled one does', async () => {
    const client = new Client(server.baseUrl, writer);
    const { status, body } = await client.rest('POST', '/workflows/', { body: { name: 'slashed' } });
    expect(status).toBe(201);
    expect((await client.rest('GET', `/workflows/${body.id}/`)).body).toMatchObject(body);
    expect((await client.rest('GET', '/workflows/?per_page=1')).status).toBe(200);
    for (const path of ['//workflows', '/workflows//', '//', '', '/']) {
      for (const method of ['GET', 'POST']) {
        expect([path, (await client.rest(method, path)).status]).toEqual([path, 404]);
      }
    }
  });

  it('a path may be percent-encoded needlessly, and is case-sensitive', async () => {
    const client = new Client(server.baseUrl, writer);
    expect((await client.rest('GET', '/%77orkflows')).status).toBe(200);
    expect((await client.rest('GET', '/workflows/%2F')).status).toBe(404);
    expect((await client.rest('GET', '/workflows%2Fnonsense')).body.message).toMatch(/path/);
    expect((await client.rest('GET', '/Workflows')).status).toBe(404);
    expect((await client.send('GET', '/V1/workflows')).status).toBe(404);
    expect((await client.send('GET', '/v1x/workflows')).status).toBe(404);
  });

  it('the absolute form of an address is taken like its path', async () => {
    expect((await send('GET http://localhost/v1/workflows?per_page=1', writer, '')).status).toBe(200);
    expect(codeOf(await send('GET http://localhost/v1/workflows?per_page=0', writer, ''))).toEqual([
      400,
      'validation_error',
    ]);
  });
});
