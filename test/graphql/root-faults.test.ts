import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isNullableType } from 'graphql';
import { packageRoot } from '../../src/platform/package-root.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const schema = buildSchema(readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8'));
const roots = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
);

it.each(roots)('$name is nullable, and null only beside an error', ({ field }) => {
  expect(isNullableType(field.type)).toBe(true);
  expect(field.astNode!.directives!.map(({ name }) => name.value)).toEqual(['semanticNonNull']);
});

it('a subscription is non-null', () => {
  for (const field of Object.values(schema.getSubscriptionType()!.getFields()))
    expect([field.name, isNullableType(field.type)]).toEqual([field.name, false]);
});

it('a query that fails leaves the others of the document', async () => {
  const { status, body } = await client.graphql(
    `{ viewer { account { id } } gone: workflow(id: "wf_gone") { id } workflows { meta { total } } }`,
  );
  expect(status).toBe(200);
  expect(body.data).toEqual({
    viewer: { account: { id: expect.stringMatching(/^acc_/) } },
    gone: null,
    workflows: { meta: { total: 0 } },
  });
  expect(body.errors!.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['gone'], 'NOT_FOUND']]);
});

it('a mutation that fails leaves what was done before and after it', async () => {
  const made = (name: string) => `createWorkflow(input: { name: "${name}" }) { name }`;
  const { body } = await client.graphql(
    `mutation { a: ${made('first')} b: deleteWorkflow(id: "wf_gone") c: ${made('')} d: ${made('last')} }`,
  );
  expect(body.data).toEqual({ a: { name: 'first' }, b: null, c: null, d: { name: 'last' } });
  expect(body.errors!.map(({ path }) => path)).toEqual([['b'], ['c']]);
  expect((await client.graphql('{ workflows { items { name } } }')).body.data).toEqual({
    workflows: { items: [{ name: 'last' }, { name: 'first' }] },
  });
});
