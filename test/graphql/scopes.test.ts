import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const CREATE = 'createWorkflow(input: { name: "made" }) { id }';

describe('a read-only key', () => {
  let server: TestServer;
  let reader: Client;
  let writer: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    reader = new Client(server.baseUrl, await server.key('read-only'));
    writer = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it.each([
    ['a mutation', `mutation { ${CREATE} }`, undefined],
    [
      'a mutation beside the query that is asked for',
      `query Q { viewer { account { id } } } mutation M { ${CREATE} }`,
      'Q',
    ],
    ['a mutation behind the query', `mutation M { ${CREATE} } query Q { __typename }`, 'Q'],
    ['a mutation in a fragment', `mutation M { ...F } fragment F on Mutation { ${CREATE} }`, 'M'],
    ['a mutation in an inline fragment', `mutation { ... on Mutation { ${CREATE} } }`, undefined],
    ['several mutations', `mutation A { ${CREATE} } mutation B { deleteWorkflow(id: "wf_x") }`, 'B'],
    ['a mutation that asks for nothing', 'mutation { __typename }', undefined],
    [
      'a mutation under a directive that skips it',
      `mutation { ${CREATE.replace(')', ') @skip(if: true)')} }`,
      undefined,
    ],
    ['a mutation in a document that names no operation', `query A { __typename } mutation B { ${CREATE} }`, undefined],
  ])('is refused %s with 403, and nothing is executed', async (_what, query, operationName) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { status, body, headers } = await reader.send('POST', '/graphql', {
        body: { query, operationName },
        headers: { accept },
      });
      expect([status, body.errors[0].extensions.code, 'data' in body]).toEqual([403, 'FORBIDDEN', false]);
      expect(headers.get('content-type')).toMatch(accept);
    }
    const { body } = await writer.graphql('{ workflows { meta { total } } }');
    expect(body.data.workflows.meta.total).toBe(0);
  });

  it('is refused a mutation over GET as over any method', async () => {
    const query = new URLSearchParams({ query: `query Q { __typename } mutation M { ${CREATE} }`, operationName: 'Q' });
    expect((await reader.send('GET', `/graphql?${query.toString()}`)).status).toBe(403);
  });

  it('may query, and ask for everything that it may see', async () => {
    const { status, body } = await reader.graphql('{ viewer { apiKey { scope } } workflows { meta { total } } }');
    expect([status, body]).toEqual([
      200,
      { data: { viewer: { apiKey: { scope: 'READ_ONLY' } }, workflows: { meta: { total: 0 } } } },
    ]);
  });
});

describe('any API key', () => {
  it('is refused the management of keys with FORBIDDEN', async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    try {
      const client = new Client(server.baseUrl, await server.key());
      for (const document of [
        '{ apiKeys { meta { total } } }',
        'mutation { createApiKey(input: { label: "x", scope: READ_WRITE }) { secret } }',
        'mutation { rotateApiKey(id: "key_x") { secret } }',
        'mutation { revokeApiKey(id: "key_x") { id } }',
      ]) {
        const { body } = await client.graphql(document);
        expect([Object.values(body.data), body.errors![0].extensions.code]).toEqual([[null], 'FORBIDDEN']);
      }
    } finally {
      await server.close();
    }
  });
});
