import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;

const MADE = [
  { name: 'Orders of the day', description: 'Tells the WAREHOUSE', status: 'active' },
  { name: 'Refunds', description: 'Answers orders that came back', status: 'draft' },
  { name: '100% of it', status: 'active' },
  { name: '100 of it', status: 'active' },
  { name: 'snake_case', status: 'active' },
  { name: 'snakeXcase', status: 'active' },
  { name: String.raw`back\slash`, status: 'active' },
  { name: 'ÜBER alles', status: 'paused' },
];

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
  await other.rest('POST', '/workflows', { body: { name: 'orders of others' } });
  for (const { status, ...body } of MADE) {
    const made = await client.rest('POST', '/workflows', { body });
    await client.rest('PUT', `/workflows/${made.body.id}`, { body: { status } });
  }
});
afterAll(() => server.close());

const LIST = `query ($search: String, $status: WorkflowStatus, $page: Int! = 1, $perPage: Int! = 20) {
  workflows(search: $search, status: $status, page: $page, perPage: $perPage) { items { name } meta { total } }
}`;

async function found(variables: object): Promise<{ names: string[]; total: number }> {
  const { body } = await client.graphql(LIST, { ...variables });
  const { items, meta } = body.data.workflows;
  return { names: items.map(({ name }: { name: string }) => name), total: meta.total };
}

describe('workflows(search)', () => {
  it('finds the text in name and description, in any case, newest first, of the account alone', async () => {
    expect(await found({ search: 'oRDers' })).toEqual({ names: ['Refunds', 'Orders of the day'], total: 2 });
    expect(await found({ search: 'warehouse' })).toEqual({ names: ['Orders of the day'], total: 1 });
    expect(await found({ search: 'über' })).toEqual({ names: ['ÜBER alles'], total: 1 });
  });

  it.each([
    ['100%', ['100% of it']],
    ['snake_', ['snake_case']],
    [String.raw`k\s`, [String.raw`back\slash`]],
    ['%', ['100% of it']],
    [String.raw`\%`, []],
  ])('takes %j as it stands', async (search, names) => {
    expect(await found({ search })).toEqual({ names, total: names.length });
  });

  it('goes together with a status', async () => {
    expect(await found({ search: 'orders', status: 'DRAFT' })).toEqual({ names: ['Refunds'], total: 1 });
  });

  it('tells the total on each page, also beyond the last', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => found({ search: 'of', page, perPage: 2 })));
    expect(pages).toEqual([
      { names: ['100 of it', '100% of it'], total: 3 },
      { names: ['Orders of the day'], total: 3 },
      { names: [], total: 3 },
    ]);
    expect(await found({ search: 'nowhere' })).toEqual({ names: [], total: 0 });
  });

  it('takes an empty text and null for none', async () => {
    for (const search of ['', null]) expect((await found({ search })).total).toBe(MADE.length);
  });

  it('refuses a text that no name has room for, and one that nothing can hold', async () => {
    for (const search of ['x'.repeat(256), 'a\0', '\ud800']) {
      const { body } = await client.graphql(LIST, { search });
      expect(body.errors![0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'search' }] });
    }
  });
});
