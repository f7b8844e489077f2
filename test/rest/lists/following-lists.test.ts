import { newUuid, toPublicId } from '../../../src/platform/ids/ids.js';
import { ROUTES } from '../../../src/transports/rest/routes.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { pendingWait } from '../../support/worlds/pending-wait.js';

interface List {
  path: string;
  /** Adds a row at the top of the list. */
  add: () => Promise<unknown>;
  client?: Client;
}

type Row = Record<string, string>;

let server: TestServer;
let client: Client;
/** A list of seven rows for each route; the catalog has more. */
let lists: Record<string, List>;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
  const { client: person } = await signedIn(server, { account: 'keys' });
  const make = async (path: string, body: object = {}, as = client) => {
    const answer = await as.rest('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Row;
  };
  const { id: workflow_id } = await make('/workflows', { name: 'w', status: 'active' });
  const { webhook_url } = await make('/triggers', { workflow_id, type: 'webhook' });
  const { integration_id } = await make('/integrations/connect', { type: 'sandbox_oauth' });
  const { id: webhook } = await make('/webhooks', { url: 'http://127.0.0.1:1/', events: ['run.succeeded'] });
  await make(`/webhooks/${webhook}/test`);
  const fire = () => client.send('POST', new URL(webhook_url!).pathname, { body: {} });
  const first = (await fire()).body.run_id as string;
  lists = {
    '/workflows': { path: '/workflows', add: () => make('/workflows', { name: 'w' }) },
    '/workflows/{id}/runs': { path: `/workflows/${workflow_id}/runs`, add: fire },
    '/runs': { path: '/runs', add: fire },
    '/waits': { path: '/waits', add: () => pendingWait(server.db, first) },
    '/triggers': { path: '/triggers', add: () => make('/triggers', { workflow_id, type: 'manual' }) },
    '/integrations': { path: '/integrations', add: () => make('/integrations/connect', { type: 'sandbox_oauth' }) },
    '/integrations/{id}/history': {
      path: `/integrations/${integration_id}/history`,
      add: () => copyRow('integration_changes', { version: 'version + 1', position: '-version' }),
    },
    '/integration_types': { path: '/integration_types', add: () => Promise.resolve() },
    '/webhooks': {
      path: '/webhooks',
      add: () => make('/webhooks', { url: 'http://127.0.0.1:1/', events: ['run.succeeded'] }),
    },
    '/webhooks/{id}/deliveries': { path: `/webhooks/${webhook}/deliveries`, add: () => copyRow('webhook_deliveries') },
    '/api_keys': {
      path: '/api_keys',
      add: () => make('/api_keys', { label: 'k', scope: 'read-only' }, person),
      client: person,
    },
    '/audit_log': {
      path: '/audit_log',
      add: () => make('/workflows', { name: 'w' }, person),
      client: person,
    },
  };
  for (const { path, add, client: as = client } of Object.values(lists)) {
    const { body } = await as.rest('GET', path);
    for (let total = body.meta.total as number; total < 7; total += 1) await add();
  }
});
afterAll(() => server.close());

/** Adds a copy of the newest row with a new id; `changes`: SQL by column. Of changes, those of the first integration. */
async function copyRow(table: string, changes: Record<string, string> = {}): Promise<void> {
  const columns = await server.db.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND column_name <> 'id'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  await server.db.query(
    `INSERT INTO ${table} (id, ${names.join(', ')})
     SELECT $1, ${names.map((name) => changes[name] ?? name).join(', ')} FROM ${table}
     ORDER BY ${changes.version ? 'integration_id, version DESC' : 'id DESC'} LIMIT 1`,
    [newUuid(server.clock.now())],
  );
}

const idOf = (row: Row) => row.id ?? row.type!;
/** Not in pages: a reader continues behind the last event of a part (test/events). */
const UNPAGED = '/events';
const rows = ROUTES.filter(({ operation, path }) => operation.startsWith('List') && path !== UNPAGED).map(
  ({ path }) => path,
);

/** The URL of the next page below /v1, and all ids of a page. */
async function read({ path, client: as = client }: List, query: string) {
  const { status, headers, body } = await as.rest('GET', `${path}${query}`);
  expect([status, body.message]).toEqual([200, undefined]);
  const link = headers.get('link');
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
  return { ids: (body.data as Row[]).map(idOf), meta: body.meta as Record<string, unknown>, link, url };
}

/** Follows the links from a query on, and calls `between` after each page. */
async function follow(list: List, query: string, between: () => Promise<unknown> = () => Promise.resolve()) {
  const found: string[] = [];
  for (let next: string | undefined = query; next !== undefined;) {
    const page = await read(list, next);
    found.push(...page.ids);
    await between();
    next = page.url === undefined ? undefined : new URL(page.url).search;
  }
  return found;
}

it('is tested for every list', () => {
  expect(Object.keys(lists).sort()).toEqual([...rows].sort());
});

describe.each(rows)('GET %s', (route) => {
  it('is read whole by following Link, from a page as from the beginning', async () => {
    const list = lists[route]!;
    const { ids } = await read(list, '?per_page=100');
    expect(ids.length).toBeGreaterThan(6);
    expect(await follow(list, '?per_page=2')).toEqual(ids);
    expect(await follow(list, '?per_page=3&page=2')).toEqual(ids.slice(3));
    expect(await follow(list, `?per_page=3&after=${ids[1]}`)).toEqual(ids.slice(2));
  });

  it('has no Link on its last page, however full', async () => {
    const list = lists[route]!;
    const { ids } = await read(list, '?per_page=100');
    const page = await read(list, `?per_page=2&after=${ids.at(-3)}`);
    expect([page.ids, page.link, page.meta]).toEqual([ids.slice(-2), null, { per_page: 2, next: null }]);
    const behind = await read(list, `?after=${ids.at(-1)}`);
    expect([behind.ids, behind.link, behind.meta.next]).toEqual([[], null, null]);
  });

  it('links to the absolute URL with the same query', async () => {
    const list = lists[route]!;
    const page = await read(list, '?page=2&per_page=1');
    expect(page.url).toBe(`${server.baseUrl}/v1${list.path}?per_page=1&after=${page.ids[0]}`);
    expect(Object.keys(page.meta)).toEqual(['total', 'page', 'per_page']);
    const after = await read(list, `?per_page=1&after=${page.ids[0]}`);
    expect(after.meta).toEqual({ per_page: 1, next: after.ids[0] });
  });

  it('misses nothing and repeats nothing while rows are added', async () => {
    const list = lists[route]!;
    const { ids } = await read(list, '?per_page=100');
    expect(await follow(list, '?per_page=2', list.add)).toEqual(ids);
  });

  it('refuses a page beside after, and what is no id of its rows', async () => {
    const { path, client: as = client } = lists[route]!;
    const { ids } = await read(lists[route]!, '?per_page=1');
    for (const [query, field] of [
      [`page=1&after=${ids[0]}`, 'page'],
      [`page=2&after=${ids[0]}`, 'page'],
      ['after=x', 'after'],
      ['after=', 'after'],
      [`after=${toPublicId('acc', newUuid(new Date()))}`, 'after'],
    ]) {
      const { status, body } = await as.rest('GET', `${path}?${query}`);
      expect([query, status, body.details?.[0].field]).toEqual([query, 400, field]);
    }
  });
});

it('refuses what is no id where a filter matches nothing, too', async () => {
  for (const path of ['/runs', '/triggers']) {
    const { status, body } = await client.rest('GET', `${path}?workflow_id=none&after=none`);
    expect([path, status, body.details?.[0].field]).toEqual([path, 400, 'after']);
  }
});

describe('a row that is gone', () => {
  it('still has its place', async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => (await client.rest('POST', '/workflows', { body: { name } })).body.id),
    );
    const { ids: before } = await read(lists['/workflows']!, '?per_page=100');
    await client.rest('DELETE', `/workflows/${ids[1]}`);
    const { ids: rest } = await read(lists['/workflows']!, `?per_page=100&after=${ids[1]}`);
    expect(rest).toEqual(before.slice(before.indexOf(ids[1] as string) + 1));
  });

  it('has its place in another account too, of which nothing is read', async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    const { body } = await other.rest('POST', '/workflows', { body: { name: 'theirs' } });
    expect((await read(lists['/workflows']!, `?after=${body.id}`)).ids.length).toBeGreaterThan(6);
    expect((await other.rest('GET', `/workflows?after=${body.id}`)).body.data).toEqual([]);
  });

  it('of a history is followed by the next older change', async () => {
    const list = lists['/integrations/{id}/history']!;
    const { ids } = await read(list, '?per_page=100');
    await server.db.query(`DELETE FROM integration_changes WHERE version = 3`);
    const gone = ids.at(-3)!;
    expect((await read(list, `?after=${gone}`)).ids).toEqual(ids.slice(-2));
  });
});

describe('a filtered list', () => {
  it('is whole although each row that was read leaves the filter', async () => {
    const { id } = (await client.rest('POST', '/workflows', { body: { name: 'filtered' } })).body as Row;
    const made = await Promise.all(
      Array.from(
        { length: 9 },
        async () =>
          (await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } })).body.id as string,
      ),
    );
    const seen: string[] = [];
    let query: string | undefined = `?workflow_id=${id}&per_page=2`;
    while (query !== undefined) {
      const page = await read(lists['/triggers']!, query);
      for (const trigger of page.ids) await client.rest('DELETE', `/triggers/${trigger}`);
      seen.push(...page.ids);
      query = page.url && new URL(page.url).search;
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
  });
});

describe('GraphQL', () => {
  it('continues pages and links by after, and counts only where the total is asked for', async () => {
    const ask = async (query: string) => (await client.graphql(query)).body.data;
    const { workflows } = await ask('{ workflows(perPage: 2) { items { id } meta { next } } }');
    expect(workflows.meta.next).toBe(workflows.items[1].id);
    const after = await ask(
      `{ workflows(perPage: 100, after: "${workflows.meta.next}") { items { id } meta { total page next totalCapped } } }`,
    );
    const { ids } = await read(lists['/workflows']!, '?per_page=100');
    expect(after.workflows.items.map(idOf)).toEqual(ids.slice(2));
    expect(after.workflows.meta).toEqual({ total: ids.length, page: 1, next: null, totalCapped: false });
    const two = await client.graphql(`{ workflows(page: 2, after: "${ids[0]}") { items { id } } }`);
    expect(two.body.errors![0].extensions.details).toEqual([
      { field: 'page', message: 'cannot be combined with after' },
    ]);
  });
});
