import { createHash } from 'node:crypto';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { connectSandbox, TRANSPORTS } from '../transports.js';

/** Levels that fit into 1,000 tokens; each doubles what a walk to every place of a spread takes. */
const LEVELS = 75;

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  key = await server.key('read-only');
});
afterAll(() => server.close());

/** A document whose fragments on a type spread each other so often that it has 2^75 selections. */
function bomb(operation: (spread: string) => string, type: string): string {
  const levels = Array.from(
    { length: LEVELS },
    (_, level) => `fragment F${level} on ${type} { ...F${level + 1} ...F${level + 1} }`,
  );
  return [operation('...F0'), ...levels, `fragment F${LEVELS} on ${type} { __typename }`].join(' ');
}

/** Documents that passed every limit and took for ever: what looked at fragments followed each spread. */
const BOMBS: readonly (readonly [what: string, query: string])[] = [
  ['runs', bomb((spread) => `{ runs { items { ${spread} } } }`, 'Run')],
  ['a run', bomb((spread) => `{ run(id: "run_x") { ${spread} } }`, 'Run')],
  ['runs of workflows', bomb((spread) => `{ workflows { items { runs { items { ${spread} } } } } }`, 'Run')],
  ['steps', bomb((spread) => `{ runs { items { steps { ${spread} } } } }`, 'Step')],
  ['mutations', bomb((spread) => `mutation { ${spread} }`, 'Mutation')],
];

describe('what a document asks for', () => {
  it.each(['1e999', '1e308'])('stays a number where a variable of a page size is %s', async (size) => {
    const inner = 'runs(perPage: $n) { items { workflow { runs(perPage: $n) { items { id } } } } }';
    const query = `query ($n: Int!) { workflows(perPage: 0) { items { ${inner} } } }`;
    const limited = await startTestServer({ env: { ROLES: 'api', RATE_LIMITS: 'on' } });
    const authorization = `Bearer ${await limited.key('read-only')}`;
    const response = await fetch(`${limited.baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: `{"query":${JSON.stringify(query)},"variables":{"n":${size}}}`,
    });
    expect(response.headers.get('ratelimit')).toMatch(/^"read";r=\d+;t=\d+$/);
    expect(((await response.json()) as { errors: unknown[] }).errors).toHaveLength(1);
    await limited.close();
  });

  it('is validated until ten faults are found', async () => {
    const unknown = Array.from({ length: 300 }, (_, index) => `perPagx${index}: 1`).join(' ');
    const { status, body } = await new Client(server.baseUrl, key).graphql(
      `{ workflows(${unknown}) { meta { total } } }`,
    );
    expect([status, body.errors!.length]).toEqual([400, 11]);
    expect(body.errors!.at(-1).message).toContain('error limit reached');
  });
});

describe('fragments that spread each other', () => {
  it.each(BOMBS)('are refused before anything walks to each of their places: %s', async (_what, query) => {
    const { status, body } = await new Client(server.baseUrl, key).graphql(query);
    expect([status, body.errors![0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(body.errors![0].message).toMatch(/at most \d+ are allowed/);
  });

  it('are refused to a connect session too, and other callers go on', async () => {
    const client = new Client(server.baseUrl, await server.key());
    const { body } = await client.rest('POST', '/connect_sessions', { body: { type: 'sandbox_oauth' } });
    const answer = await new Client(server.baseUrl, body.token as string).graphql(BOMBS.at(-1)![1]);
    expect(answer.status).toBe(400);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
  });

  it('are refused over every transport', async () => {
    const writing = await server.key();
    const id = await connectSandbox(server, writing);
    for (const { ask, on } of TRANSPORTS) {
      const heard = await ask(server, writing, bomb(on, 'Integration'), { id });
      expect(heard.errors![0]!.message).toMatch(/selections where its fragments are spread/);
    }
  });

  it('may be 10,000 selections where they are spread, and not one more', async () => {
    // 1 run, 9 levels of 2 (1,022), the leaves of the last: 512 each.
    const document = (leaves: number, more: string) => {
      const levels = Array.from(
        { length: 9 },
        (_, level) => `fragment F${level} on Run { ...F${level + 1} ...F${level + 1} }`,
      );
      return `{ run(id: "run_x") { ...F0 ${more} } } ${levels.join(' ')} fragment F9 on Run { ${'id '.repeat(leaves)} }`;
    };
    const client = new Client(server.baseUrl, key);
    const ofRun = (spare: number) => document(17, 'id '.repeat(spare));
    const base = 2 + 2 * (2 ** 9 - 1) + 2 ** 9 * 17;
    const taken = await client.graphql(ofRun(10_000 - base));
    expect(taken.body.errors![0].extensions.code).not.toBe('GRAPHQL_VALIDATION_FAILED');
    const refused = await client.graphql(ofRun(10_001 - base));
    expect(refused.body.errors![0].message).toMatch(/10001 selections/);
  });
});

describe('a document over HTTP', () => {
  it('is executed only after admission: no document is stored by its hash', async () => {
    const query = '{ __typename }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const client = new Client(server.baseUrl, key);
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash } } };
    for (const body of [{ query, ...persisted }, persisted]) {
      const answer = await client.send('POST', '/graphql', { body });
      expect(answer.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
    }
  });

  it('is admitted by the same text that is executed, whatever the URL contains', async () => {
    const { status, body } = await new Client(server.baseUrl, key).send('GET', '/graphql?a=?&query={__typename}', {
      headers: { 'apollo-require-preflight': 'true' },
    });
    expect([status, body.data]).toEqual([200, { __typename: 'Query' }]);
  });
});
