import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('errors of GraphQL over HTTP', () => {
  let server: TestServer;
  let key: string;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    client = new Client(server.baseUrl, key);
  });
  afterAll(() => server.close());

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['lower case', { authorization: 'bearer wfk_x' }],
    ['a made-up key', { authorization: `Bearer wfk_${'a'.repeat(38)}` }],
  ])('refuse the whole request with 401 for %s, before anything of it is read', async (_what, headers) => {
    const anonymous = new Client(server.baseUrl);
    const {
      status,
      body,
      headers: answered,
    } = await anonymous.send('POST', '/graphql', { body: '{ not json', headers });
    expect(status).toBe(401);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    expect(answered.get('content-type')).toMatch(/^application\/json/);
    const extensions = { code: 'UNAUTHORIZED', requestId: answered.get('x-request-id') };
    expect(body).toEqual({ errors: [{ message: expect.any(String), extensions }] });
  });

  it('name what is refused in GraphQL names, at its place, with 200', async () => {
    const { status, body } = await client.graphql(
      `mutation ($input: ConnectIntegrationInput!) { made: connectIntegration(input: $input) { __typename } }`,
      { input: { type: 'sandbox_oauth', returnUrl: 'https://elsewhere.example/', label: '' } },
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({ made: null });
    const [error] = body.errors!;
    expect(error.path).toEqual(['made']);
    expect(error.locations).toHaveLength(1);
    expect(error.extensions.code).toBe('VALIDATION_ERROR');
    expect(error.extensions.details.map(({ field }: { field: string }) => field)).toContain('label');
    const second = await client.graphql(
      `mutation { connectIntegration(input: { type: "sandbox_oauth", returnUrl: "https://elsewhere.example/" }) { __typename } }`,
    );
    expect(second.body.errors![0].extensions.details).toEqual([{ field: 'returnUrl', message: expect.any(String) }]);
  });

  it.each([
    ['workflows(perPage: 101) { meta { total } }', 'perPage'],
    ['workflows(page: 0) { meta { total } }', 'page'],
    ['integration(id: "int_x", wait: 31) { id }', 'wait'],
    ['integration(id: "int_x", afterVersion: -1) { id }', 'afterVersion'],
  ])('of `%s` name `%s`', async (field, name) => {
    const { status, body } = await client.graphql(`{ ${field} }`);
    expect([status, body.errors![0].extensions]).toEqual([
      200,
      {
        code: 'VALIDATION_ERROR',
        details: [{ field: name, message: expect.any(String) }],
        requestId: expect.any(String),
      },
    ]);
  });

  it('are as the example in docs/reference/errors.md', async () => {
    const page = readFileSync(join(packageRoot, 'docs/reference/errors.md'), 'utf8');
    const example: unknown = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!);
    const { body } = await client.graphql(`mutation { createWorkflow(input: { name: "" }) { id } }`);
    body.errors![0].extensions.requestId = '3f0c7f5e-6a5b-4f0e-9d0c-1f3a8f1a2b3c';
    expect(body).toEqual(example);
  });

  it('leave what succeeded beside them in the data', async () => {
    const made = await client.graphql(`mutation { createWorkflow(input: { name: "x" }) { id } }`);
    const { status, body } = await client.graphql(
      `query ($id: ID!) { integrationTypes { meta { page } } viewer { account { name } } workflow(id: $id) { name } }`,
      {
        id: made.body.data.createWorkflow.id,
      },
    );
    expect([status, body.errors]).toEqual([200, undefined]);
    const partial = await client.graphql(`{ a: workflows { items { id } } b: workflow(id: "wf_nope") { id } }`);
    expect(partial.status).toBe(200);
    expect(partial.body.errors).toEqual([
      {
        message: expect.any(String),
        locations: expect.any(Array),
        path: ['b'],
        extensions: { code: 'NOT_FOUND', requestId: partial.headers.get('x-request-id') },
      },
    ]);
  });

  it("are UNAUTHORIZED for another account's id and NOT_FOUND for an unknown one", async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    const { body } = await other.graphql(`mutation { createWorkflow(input: { name: "theirs" }) { id } }`);
    const { id } = body.data.createWorkflow;
    const ask = async (asked: string) =>
      (await client.graphql('query ($id: ID!) { workflow(id: $id) { id } }', { id: asked })).body.errors![0].extensions
        .code;
    expect(await ask(id)).toBe('UNAUTHORIZED');
    expect(await ask(`${id.slice(0, -4)}zzzz`)).toBe('NOT_FOUND');
  });

  it.each([
    ['a syntax error', '{', undefined, 400, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', '{ nope }', undefined, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a literal of the wrong type', '{ workflows(page: "1") { meta { page } } }', undefined, 400, 'BAD_USER_INPUT'],
    ['a literal that is no date', '{ runs(createdAfter: "soon") { meta { page } } }', undefined, 400, 'BAD_USER_INPUT'],
    [
      'a variable of the wrong type',
      'query ($p: Int!) { workflows(page: $p) { meta { page } } }',
      { p: 'x' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a variable that is no date',
      'query ($d: DateTime) { runs(createdAfter: $d) { meta { page } } }',
      { d: 'soon' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a null where none may be',
      'query ($p: Int = 1) { workflows(page: $p) { meta { page } } }',
      { p: null },
      200,
      'BAD_USER_INPUT',
    ],
    [
      'a missing operation',
      'query A { __typename } query B { __typename }',
      undefined,
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['a subscription', 'subscription { integrationStatusChanged { id } }', undefined, 400, 'BAD_REQUEST'],
    ['an empty query', '', undefined, 400, 'BAD_REQUEST'],
  ])("keep Apollo's code for %s", async (_what, query, variables, status, code) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await client.send('POST', '/graphql', { body: { query, variables }, headers: { accept } });
      const { code: given, requestId } = answer.body.errors[0].extensions;
      expect([answer.status, given, requestId]).toEqual([status, code, answer.headers.get('x-request-id')]);
      expect(answer.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
  });

  it('never carry a stack, whatever is thrown', async () => {
    for (const query of [
      '{',
      '{ nope }',
      '{ workflow(id: "x") { id } }',
      'mutation { createWorkflow(input: {name: ""}) { id } }',
    ]) {
      expect(JSON.stringify((await client.graphql(query)).body)).not.toMatch(/stack|node_modules|\.ts|\.js/);
    }
  });

  it('are masked and logged with the request’s id when they are ours', async () => {
    const broken = await startTestServer({ env: { ROLES: 'api' } });
    try {
      const asking = new Client(broken.baseUrl, await broken.key());
      await broken.db.query('ALTER TABLE runs RENAME TO hidden_runs');
      const { status, body } = await asking.send('POST', '/graphql', {
        body: { query: '{ broken: runs { meta { total } } viewer { account { name } } }' },
        headers: { 'x-request-id': 'masked-1' },
      });
      expect(status).toBe(200);
      expect(body.errors).toEqual([
        {
          message: 'Something went wrong on our side.',
          locations: [{ line: 1, column: 3 }],
          path: ['broken'],
          extensions: { code: 'INTERNAL_ERROR', requestId: 'masked-1' },
        },
      ]);
      const lines = broken.logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
      expect(lines).toEqual([
        expect.objectContaining({
          request_id: 'masked-1',
          path: 'broken',
          error: expect.stringContaining('runs'),
          error_code: '42P01',
        }),
      ]);
    } finally {
      await broken.close();
    }
  });

  it('are masked when a value from a resolver does not fit its type', async () => {
    const { body } = await client.graphql('mutation { createWorkflow(input: { name: "odd" }) { id } }');
    await server.db.query(`ALTER TABLE workflows DROP CONSTRAINT IF EXISTS workflows_status_check`);
    const checks = await server.db.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'workflows'::regclass AND contype = 'c'`,
    );
    for (const { name } of checks) await server.db.query(`ALTER TABLE workflows DROP CONSTRAINT "${name}"`);
    await server.db.query(`UPDATE workflows SET status = 'secret-status' WHERE name = 'odd'`);
    const { body: answer } = await client.graphql('query ($id: ID!) { workflow(id: $id) { status } }', {
      id: body.data.createWorkflow.id,
    });
    expect(answer.errors).toMatchObject([
      {
        message: 'Something went wrong on our side.',
        path: ['workflow', 'status'],
        extensions: { code: 'INTERNAL_ERROR' },
      },
    ]);
    expect(server.logs.some((line) => line.includes('secret-status'))).toBe(true);
  });
});
