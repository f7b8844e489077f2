import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** Statuses and codes that these requests can't cause at will; other tests do. */
const ELSEWHERE = ['400 ANSWER_TOO_LARGE', '409 CONFLICT', '429 RATE_LIMITED', '500 INTERNAL_ERROR', '503 UNAVAILABLE'];

const CREATE = 'mutation { createWorkflow(input: { name: "Once" }) { id } }';

let server: TestServer;
let client: Client;
let reader: Client;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  reader = new Client(server.baseUrl, await server.key('read-only'));
});
afterAll(() => server.close());

/** The rows of the table in the reference, as `status CODE`. */
function documented(): string[] {
  const page = readFileSync(join(packageRoot, 'docs/reference/errors.md'), 'utf8');
  const section = page.slice(page.indexOf('## GraphQL'));
  return [...section.matchAll(/^\| (\d{3}) *\| (.+?) *\| .+ \|$/gm)].flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${status} ${code}`),
  );
}

const post = (query: unknown, headers: Record<string, string> = {}, as = client) =>
  as.send('POST', '/graphql', { body: typeof query === 'string' ? { query } : query, headers });

describe('the HTTP status of a GraphQL request', () => {
  it('is as the reference says, which lists them all', async () => {
    const get = (query: string) => client.send('GET', `/graphql?${new URLSearchParams({ query }).toString()}`);
    const key = { 'idempotency-key': 'once' };
    expect((await post(CREATE, key)).status).toBe(200);
    const mismatch = await post('mutation { createWorkflow(input: { name: "Other" }) { id } }', key);
    await server.db.query(`UPDATE idempotency_keys SET status = NULL, answer = NULL`);

    const refused = [
      mismatch,
      await post(CREATE, key),
      await post('{ workflow'),
      await post('{ nothing }'),
      await post({ query: 'query ($n: Int!) { workflows(perPage: $n) { meta { total } } }', variables: { n: 'many' } }),
      await post({ query: 'query A { __typename }', operationName: 'B' }),
      await post({}),
      await post('subscription { integrationStatusChanged { id } }'),
      await post('{ __typename }', { 'if-match': '"x"' }),
      await client.send('POST', '/graphql', { body: '{ not json' }),
      await new Client(server.baseUrl, 'unknown').send('POST', '/graphql', { body: { query: '{ __typename }' } }),
      await post(CREATE, {}, reader),
      await client.send('PUT', '/graphql'),
      await get(CREATE),
      await post(`{ __typename } #${'x'.repeat(110_000)}`),
      await post('{ __typename }', { 'content-type': 'text/plain' }),
      await post('{ __typename }', { accept: 'text/plain' }),
    ];
    const caused = refused.map(({ status, body }) => `${status} ${body?.errors?.[0]?.extensions.code}`);
    for (const { status, body } of refused) expect([status, 'data' in body]).toEqual([status, false]);
    expect([...new Set([...caused, ...ELSEWHERE])].sort()).toEqual(documented().sort());
  });

  it('is 200 once it is executed, also if all that it asks for fails', async () => {
    for (const mutation of ['updateWorkflow(id: "wf_x", input: { name: "x" })', 'createWorkflow(input: { name: "" })'])
      expect((await post(`mutation { ${mutation} { id } }`)).status).toBe(200);
    const undone = await post('mutation { createWorkflow(input: { name: "" }) { id } }', { 'idempotency-key': 'no' });
    expect([undone.status, undone.body.data]).toEqual([200, null]);
    const missing = await post('{ workflow(id: "wf_x") { id } }', { accept: 'application/graphql-response+json' });
    expect([missing.status, missing.body.data]).toEqual([200, { workflow: null }]);
  });
});
