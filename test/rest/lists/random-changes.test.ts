import fc from 'fast-check';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

/** What happens between two pages: rows that are added, and places of rows that are deleted. */
const between = fc.record({
  added: fc.nat({ max: 3 }),
  deleted: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

interface Page {
  ids: string[];
  next: string | null;
}

/** Reads the page behind a place; null: from the beginning. */
type Read = (client: Client, perPage: number, next: string | null) => Promise<Page>;

const overRest: Read = async (client, perPage, next) => {
  const { headers, body } = await client.rest('GET', next ?? `/workflows?per_page=${perPage}`);
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return {
    ids: body.data.map(({ id }: { id: string }) => id),
    next: url === undefined ? null : `/workflows${new URL(url).search}`,
  };
};

const CONNECTION = `query ($first: Int, $after: String) {
  workflowConnection(first: $first, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`;

const asConnection: Read = async (client, first, after) => {
  const { body } = await client.graphql(CONNECTION, { first, after });
  const { edges, pageInfo } = body.data.workflowConnection;
  return {
    ids: edges.map(({ node }: { node: { id: string } }) => node.id),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
};

describe.each([
  ['Link', overRest],
  ['a connection', asConnection],
])('a reader who follows %s', (door, read) => {
  let runs = 0;

  it('gets each row once that is there all the time, whatever is added and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(between, { maxLength: 12 }),
        async (size, perPage, steps) => {
          const client = new Client(server.baseUrl, await server.key('read-write', `${door} ${(runs += 1)}`));
          const create = async () =>
            (await client.rest('POST', '/workflows', { body: { name: 'w' } })).body.id as string;
          const present: string[] = [];
          const stays = new Set<string>();
          for (let at = 0; at < size; at += 1) present.unshift(await create());
          for (const id of present) stays.add(id);
          const left = [...steps];
          const found: string[] = [];
          let next: string | null = null;
          do {
            const page = await read(client, perPage, next);
            found.push(...page.ids);
            next = page.next;
            const { added = 0, deleted = [] } = left.shift() ?? {};
            for (let at = 0; at < added; at += 1) present.unshift(await create());
            for (const place of deleted) {
              const [gone] = present.splice(place % Math.max(1, present.length), 1);
              if (gone === undefined) continue;
              stays.delete(gone);
              await client.rest('DELETE', `/workflows/${gone}`);
            }
          } while (next !== null);
          expect(new Set(found).size).toBe(found.length);
          expect(found.filter((id) => stays.has(id))).toEqual(present.filter((id) => stays.has(id)));
        },
      ),
      { numRuns: 25 },
    );
  });
});
