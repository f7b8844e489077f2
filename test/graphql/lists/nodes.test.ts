import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLInterfaceType } from 'graphql';
import { packageRoot } from '../../../src/platform/package-root.js';
import { makeThings, type Things } from '../../rest/openapi/sample-requests.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';

let server: TestServer;
let person: Client;
let things: Things;
/** An id of each type of node. */
let ids: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  person = (await signedIn(server)).client;
  things = await makeThings(person, server.db);
  await person.graphql(`mutation { inviteUser(email: "new@people.example") { id } }`);
  await person.graphql(`mutation { createApiKey(input: { label: "k", scope: READ_ONLY }) { secret } }`);
  const { body } = await person.graphql(`mutation { testWebhook(id: "${things.webhook}") { id } }`);
  const first = '{ items { __typename id } }';
  const { data } = (
    await person.graphql(`{
      viewer { account { __typename id } } workflows ${first} triggers ${first} runs ${first} webhooks ${first} users ${first}
      invitations ${first} apiKeys ${first}
      integration(id: "${things.integration}") { __typename id history ${first} } }`)
  ).body;
  const pages = [data.workflows, data.triggers, data.runs, data.webhooks, data.users, data.invitations, data.apiKeys];
  const firsts = [...pages, data.integration.history].map(({ items }) => items[0]);
  ids = Object.fromEntries(
    [...firsts, data.integration, data.viewer.account].map(({ __typename, id }) => [__typename, id] as const),
  );
  ids.Wait = things.wait!;
  ids.WebhookDelivery = body.data.testWebhook.id;
  ids.BulkOperation = things.bulk!;
});
afterAll(() => server.close());

const ask = (client: Client, wanted: string[], selection = '__typename id') =>
  client.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${selection} } }`, { ids: wanted });
const codesOf = (body: { errors?: { path: unknown[]; extensions: { code: string } }[] }) =>
  (body.errors ?? []).map(({ path, extensions: { code } }) => [path.join('.'), code]);

it('returns an object of every type that is a node, in the order of the ids', async () => {
  const schema = buildSchema(readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8'));
  const types = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).map(({ name }) => name);
  expect(Object.keys(ids).sort()).toEqual(types.toSorted());
  const wanted = Object.entries(ids);
  const { body } = await ask(
    person,
    wanted.map(([, id]) => id),
  );
  expect(body).toEqual({ data: { nodes: wanted.map(([__typename, id]) => ({ __typename, id })) } });
  for (const [__typename, id] of wanted) {
    const single = await person.graphql(`query ($id: ID!) { node(id: $id) { __typename id } }`, { id });
    expect(single.body).toEqual({ data: { node: { __typename, id } } });
  }
});

it('has every field of its type', async () => {
  const { body } = await person.graphql(
    `query ($trigger: ID!, $run: ID!) {
      trigger: node(id: $trigger) { ... on Trigger { webhookUrl config workflow { id } } }
      run: node(id: $run) { ... on Run { input steps { name } workflow { id } } } }`,
    { trigger: ids.Trigger, run: ids.Run },
  );
  const expected = await person.graphql(
    `query ($trigger: ID!, $run: ID!) {
      trigger(id: $trigger) { webhookUrl config workflow { id } }
      run(id: $run) { input steps { name } workflow { id } } }`,
    { trigger: ids.Trigger, run: ids.Run },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data).toEqual(expected.body.data);
});

it('null and an error stand for each object that cannot be read; the others are there', async () => {
  const stranger = new Client(server.baseUrl, await server.key('read-write', 'other'));
  const { body: made } = await stranger.rest('POST', '/workflows', { body: { name: 'theirs' } });
  const reader = new Client(server.baseUrl, await server.key('read-only'));
  const wanted = [
    made.id,
    ids.Workflow!,
    'wf_01h455vb4pex5vsknk084sn02q',
    'wf_x',
    'other_x',
    '',
    ids.User!,
    ids.ApiKey!,
  ];
  const { body } = await ask(reader, wanted, 'id');
  expect(body.data.nodes).toEqual(wanted.map((id) => (id === ids.Workflow ? { id } : null)));
  expect(codesOf(body as never)).toEqual([
    ['nodes.0', 'UNAUTHORIZED'],
    ['nodes.2', 'NOT_FOUND'],
    ['nodes.3', 'NOT_FOUND'],
    ['nodes.4', 'NOT_FOUND'],
    ['nodes.5', 'NOT_FOUND'],
    ['nodes.6', 'FORBIDDEN'],
    ['nodes.7', 'FORBIDDEN'],
  ]);
  const single = await reader.graphql(`{ node(id: "other_x") { id } viewer { account { id } } }`);
  expect(single.body.data).toEqual({ node: null, viewer: { account: { id: ids.Account } } });
});

it('a deleted object is not found', async () => {
  const { body: made } = await person.rest('POST', '/workflows', { body: { name: 'short' } });
  await person.rest('DELETE', `/workflows/${made.id}`);
  expect(codesOf((await ask(person, [made.id])).body as never)).toEqual([['nodes.0', 'NOT_FOUND']]);
});

it('a connect session gets its own integration and nothing else', async () => {
  const session = { integration_id: ids.Integration, expires_in: 600 };
  const { token } = (await person.rest('POST', '/connect_sessions', { body: session })).body;
  const wanted = [ids.Integration!, ids.Workflow!, ids.IntegrationStatusChange!, 'int_01h455vb4pex5vsknk084sn02q'];
  const { body } = await ask(new Client(server.baseUrl, token), wanted, 'id');
  expect(body.data.nodes).toEqual([{ id: ids.Integration }, null, null, null]);
  expect(codesOf(body as never).map(([, code]) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
});

it('at most 100 ids are taken, and those count as nodes', async () => {
  const { body } = await ask(
    person,
    Array.from({ length: 101 }, () => ids.Workflow!),
  );
  expect(body.errors![0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'ids' }] });
  const many = Array.from({ length: 100 }, () => ids.Workflow!);
  expect((await ask(person, many)).body.data.nodes).toHaveLength(100);
  const deep = await ask(person, many, '... on Workflow { triggers(perPage: 51) { items { id } } }');
  expect(deep.status).toBe(400);
  expect(deep.body.errors![0].message).toBe('The operation asks for 5100 nodes; at most 5000 are allowed.');
});

it('objects of one type are one statement, and what is missing one more', async () => {
  for (let more = 0; more < 5; more += 1) await person.rest('POST', '/workflows', { body: { name: `w${more}` } });
  const { body } = await person.graphql('{ workflows { items { id } } }');
  const all = body.data.workflows.items.map(({ id }: { id: string }) => id) as string[];
  const cost = async (wanted: string[]) => {
    const before = server.db.statements;
    await ask(person, wanted);
    return server.db.statements - before;
  };
  const least = async (wanted: string[]) => Math.min(await cost(wanted), await cost(wanted), await cost(wanted));
  expect((await least(all)) - (await least([all[0]!]))).toBe(0);
  expect((await least([...all, 'wf_01h455vb4pex5vsknk084sn02q'])) - (await least(all))).toBe(1);
});
