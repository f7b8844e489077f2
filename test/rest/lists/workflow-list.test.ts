import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let client: Client;
/** Oldest first. */
const made: { id: string; created_at: string }[] = [];

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  for (let i = 0; i < 23; i += 1) {
    const status = i % 2 === 0 ? 'active' : 'draft';
    made.push((await client.rest('POST', '/workflows', { body: { name: `n${i}`, description: 'd', status } })).body);
  }
  const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
  await other.rest('POST', '/workflows', { body: { name: 'theirs' } });
});
afterAll(() => server.close());

const list = (query = '') => client.rest('GET', `/workflows${query}`);
const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }: { id: string }) => id);
const newestFirst = () => made.map(({ id }) => id).reverse();

describe('GET /v1/workflows', () => {
  it('gives the newest 20 of the account, without descriptions', async () => {
    const { status, body } = await list();
    expect([status, Object.keys(body), body.meta]).toEqual([
      200,
      ['data', 'meta'],
      { total: 23, page: 1, per_page: 20 },
    ]);
    expect(Object.keys(body.meta)).toEqual(['total', 'page', 'per_page']);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(newestFirst().slice(0, 20));
    for (const item of body.data) {
      expect(Object.keys(item)).toEqual(['id', 'name', 'status', 'created_at', 'updated_at', 'run_count']);
    }
  });

  it('pages without gaps and repeats, and is empty beyond the last page', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&per_page=9`)));
    expect(pages.map(({ body }) => body.data.length)).toEqual([9, 9, 5, 0]);
    expect(pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(newestFirst());
    expect(pages[3]).toMatchObject({ status: 200, body: { data: [], meta: { total: 23, page: 4, per_page: 9 } } });
  });

  it.each([
    ['page=1', { page: 1, per_page: 20 }],
    ['page=01', { page: 1, per_page: 20 }],
    ['per_page=1', { page: 1, per_page: 1 }],
    ['per_page=100', { page: 1, per_page: 100 }],
    ['page=2147483647&per_page=100', { page: 2_147_483_647, per_page: 100 }],
    ['unknown=1&limit=5&__proto__=1&constructor=2', { page: 1, per_page: 20 }],
  ])('takes %s', async (query, meta) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 200, body: { meta: { total: 23, ...meta } } });
  });

  it.each([
    ['page=3&page=2', 'page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=-0', 'page'],
    ['page=', 'page'],
    ['page=1e3', 'page'],
    ['page=1.0', 'page'],
    ['page=0x1', 'page'],
    ['page=%2B1', 'page'],
    ['page=%201', 'page'],
    ['page=%D9%A1', 'page'],
    ['page=2147483648', 'page'],
    ['page=99999999999999999999999', 'page'],
    ['page=NaN', 'page'],
    ['page=null', 'page'],
    ['page=%00', 'page'],
    ['page=%ZZ', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['per_page=-20', 'per_page'],
    ['per_page=all', 'per_page'],
    ['status=ACTIVE', 'status'],
    ['status=', 'status'],
    ['status=deleted', 'status'],
    ['status=active,draft', 'status'],
    ['status=active%00', 'status'],
  ])('refuses %s', async (query, field) => {
    expect(await list(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field, message: expect.any(String) }] },
    });
  });

  it('filters by status, with the total of that status', async () => {
    const active = newestFirst().filter((_, i) => i % 2 === 0);
    expect(await idsOf('?status=active')).toEqual(active);
    expect((await list('?status=active&per_page=5')).body.meta).toEqual({ total: 12, page: 1, per_page: 5 });
    expect((await list('?status=archived')).body).toEqual({ data: [], meta: { total: 0, page: 1, per_page: 20 } });
  });

  it('keeps its totals through moves and deletions', async () => {
    const totals = async () =>
      Promise.all(
        ['', '?status=active', '?status=draft', '?status=paused', '?status=archived'].map(
          async (query) => (await list(query)).body.meta.total,
        ),
      );
    expect(await totals()).toEqual([23, 12, 11, 0, 0]);
    const ids = newestFirst();
    await client.rest('PUT', `/workflows/${ids[0]!}`, { body: { status: 'paused' } });
    await client.rest('PUT', `/workflows/${ids[0]!}`, { body: { status: 'paused' } });
    await client.rest('PUT', `/workflows/${ids[1]!}`, { body: { status: 'archived' } });
    await client.rest('PUT', `/workflows/${ids[2]!}`, { body: { name: 'renamed' } });
    expect(await totals()).toEqual([23, 11, 10, 1, 1]);
    await Promise.all(ids.slice(0, 4).map((id) => client.rest('DELETE', `/workflows/${id}`)));
    expect(await totals()).toEqual([19, 10, 9, 0, 0]);
    expect(await idsOf('')).toEqual(ids.slice(4));
  });

  it('keeps them when many move at once', async () => {
    const ids = newestFirst().slice(4);
    await Promise.all(
      ids.flatMap((id) =>
        ['active', 'paused', 'draft', 'archived'].map((status) =>
          client.rest('PUT', `/workflows/${id}`, { body: { status } }),
        ),
      ),
    );
    const [row] = await server.db.query<{ matches: boolean }>(
      `SELECT (SELECT json_agg(c) FROM (SELECT status, count(*) AS total FROM workflows GROUP BY 1, account_id ORDER BY 1, 2) c)::text
            = (SELECT json_agg(c) FROM (SELECT status, sum(total)::bigint AS total FROM workflow_totals
                                        GROUP BY 1, account_id HAVING sum(total) <> 0 ORDER BY 1, 2) c)::text AS matches`,
    );
    expect(row).toEqual({ matches: true });
  });
});
