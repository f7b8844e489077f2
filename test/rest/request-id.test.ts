import { startTestServer, type TestServer } from '../support/server.js';
import { head, rawRequest } from './raw-request.js';

let server: TestServer;
let auth: string;

beforeAll(async () => {
  server = await startTestServer();
  auth = `Authorization: Bearer ${await server.key()}`;
});
afterAll(() => server.close());

const PATHS = ['/v1/workflows', '/v1/nothing', '/graphql?query={__typename}', '/hooks/unknown', '/livez', '/nothing'];
const idFor = async (path: string, ...headers: string[]) =>
  (await rawRequest(server.baseUrl, head(`GET ${path}`, auth, ...headers))).headers['x-request-id'];

describe('X-Request-Id', () => {
  it.each(PATHS)('is on every answer of %s, and another each time', async (path) => {
    const ids = [await idFor(path), await idFor(path)];
    expect(ids).toEqual([
      expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
      expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
    ]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each(PATHS)("is the request's own on %s when it fits", async (path) => {
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) expect(await idFor(path, `X-Request-Id: ${id}`)).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'a:b', 'ä', 'a"', 'a%0d%0ab'])(
    'is ours when the request says "%s"',
    async (id) => {
      const given = await idFor('/v1/workflows', `X-Request-Id: ${id}`);
      expect(given).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is ours when the request says two', async () => {
    expect(await idFor('/v1/workflows', 'X-Request-Id: a', 'X-Request-Id: b')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is on refusals too, and in the log', async () => {
    const answer = await rawRequest(server.baseUrl, head('GET /v1/workflows', 'X-Request-Id: find.me'));
    expect([answer.status, answer.headers['x-request-id']]).toEqual([401, 'find.me']);
    expect(server.logs.some((line) => JSON.parse(line).request_id === 'find.me')).toBe(true);
  });
});
