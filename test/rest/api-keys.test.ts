import { ROUTES } from '../../src/transports/rest/routes.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const routes = ROUTES.filter(({ path }) => path.startsWith('/api_keys'));

describe('the routes of API keys', () => {
  it('are four', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api_keys',
      'POST /api_keys',
      'POST /api_keys/{id}/rotate',
      'DELETE /api_keys/{id}',
    ]);
  });

  it.each(['read-only', 'read-write'] as const)('are closed to a %s key, its own key too', async (scope) => {
    const client = new Client(server.baseUrl, await server.key(scope));
    const viewer = await client.graphql<{ viewer: { apiKey: { id: string } } }>('{ viewer { apiKey { id } } }');
    for (const id of [viewer.body.data.viewer.apiKey.id, 'key_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      for (const { method, path } of routes) {
        const call = method === 'GET' ? {} : { body: { label: 'mine', scope: 'read-write', overlap_hours: 0 } };
        const answer = await client.rest(method, path.replace('{id}', id), call);
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden']);
      }
    }
    const [count] = await server.db.query('SELECT count(*) AS total, count(revoked_at) AS revoked FROM api_keys');
    expect(count).toEqual({ total: scope === 'read-only' ? 1 : 2, revoked: 0 });
  });
});
