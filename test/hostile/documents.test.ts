import { getIntrospectionQuery } from 'graphql';
import { connectSandbox, type Heard, TRANSPORTS } from '../graphql/transports.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let key: string;
let id: string;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  key = await server.key();
  id = await connectSandbox(server, key);
});
afterAll(() => server.close());

const repeated = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Refused documents by their kind: a selection, declarations beside `$id`, and further definitions. */
const REFUSED: Record<string, { selection: string; declared?: string; after?: string }> = {
  '7,000 variables': { selection: 'id', declared: repeated(7_000, (index) => `$v${index}: Int`) },
  'variables that are declared twice': { selection: 'id', declared: '$a: Int, $a: Int' },
  'a variable of an unknown type': { selection: 'id', declared: '$a: __proto__' },
  '1,000 fragments': {
    selection: '...F0',
    after: repeated(1_000, (index) => `fragment F${index} on Integration { id }`),
  },
  'unused fragments': { selection: 'id', after: 'fragment F on Integration { id }' },
  'a fragment of its own': { selection: '...F', after: 'fragment F on Integration { id ...F }' },
  'fragments named alike': {
    selection: '...F',
    after: 'fragment F on Integration { id } fragment F on Integration { type }',
  },
  'a fragment on another type': { selection: '...F', after: 'fragment F on Workflow { id }' },
  'a directive over and over': { selection: `id ${repeated(200, () => '@include(if: true)')}` },
  'unknown directives': { selection: 'id @defer @stream @__proto__' },
  'a deferred fragment': { selection: '... @defer { id }' },
  'a streamed list': { selection: 'scopes @stream(initialCount: 0)' },
  'fields in conflict': { selection: 'a: id a: type' },
  'aliases of a prototype': { selection: repeated(16, (index) => `__proto__${index}: id`) },
  'a field named __proto__': { selection: '__proto__' },
  'a field named constructor': { selection: 'constructor { id }' },
  'an argument named __proto__': { selection: 'triggers(__proto__: 1) { items { id } }' },
  'a deep list literal': { selection: `triggers(page: ${'['.repeat(480)}${']'.repeat(480)}) { items { id } }` },
  'a deep object literal': { selection: `triggers(page: ${'{a:'.repeat(300)}1${'}'.repeat(300)}) { items { id } }` },
  'braces that never close': { selection: '{'.repeat(900) },
  'a second operation': { selection: 'id', after: '{ __typename }' },
  'introspection in circles': {
    selection: '__typename',
    after: 'query B { __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  },
};

describe.each(TRANSPORTS)('an abusive document over $name', ({ ask, on }) => {
  const heard = (query: string, variables: object = {}): Promise<Heard> =>
    ask(server, key, query, { id, ...variables });

  it.each(Object.keys(REFUSED))('is refused with %s', async (what) => {
    const { selection, declared = '', after = '' } = REFUSED[what]!;
    const { data, errors, status } = await heard(`${on(selection, declared)} ${after}`);
    expect(data).toBeUndefined();
    expect([undefined, 400, 413]).toContain(status);
    expect(errors![0]!.extensions.code).toMatch(
      /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|OPERATION_RESOLUTION_FAILURE|PAYLOAD_TOO_LARGE|BAD_REQUEST|BAD_USER_INPUT)$/,
    );
  });

  it('gives aliases of a prototype their own values', async () => {
    const { data, errors } = await heard(on('__proto__: id constructor: type toString: name'));
    expect(errors).toBeUndefined();
    // A query's root field is `integration` itself, a subscription's contains it.
    const root = Object.values<any>(data)[0];
    const found = root.integration ?? root;
    expect(JSON.stringify(found)).toMatch(/^\{"__proto__":"int_\w+","constructor":"sandbox_api_key","toString":/);
  });

  it('returns a field that is selected many times once', async () => {
    const { data, errors } = await heard(on(repeated(900, () => 'id')));
    expect([errors, JSON.stringify(data)]).toEqual([undefined, expect.stringContaining(`{"id":"${id}"}`)]);
  });

  it('obeys @skip and @include on every field', async () => {
    const fields = ['id', 'type', 'name', 'status', 'version', 'reference', 'scopes'];
    const selection = fields.map((field, index) => `${field} @include(if: $yes) @skip(if: ${index > 0})`).join(' ');
    const { data, errors } = await heard(on(selection, '$yes: Boolean!'), { yes: true });
    expect([errors, JSON.stringify(data)]).toEqual([undefined, expect.stringContaining(`{"id":"${id}"}`)]);
  });

  it('ignores undeclared variables of any name', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`v${index}`, index]));
    const variables = JSON.parse(`{"__proto__":{"id":"x"},"constructor":1,"hasOwnProperty":2}`) as object;
    const { errors } = await heard(on('id'), { ...many, ...variables });
    expect(errors).toBeUndefined();
  });
});

describe('which operation is meant', () => {
  it.each([
    ['B', 200],
    ['', 400],
    ['C', 400],
    ['__proto__', 400],
    [undefined, 400],
    [5, 400],
    [['A'], 400],
  ])('is told by the name alone: %j answers %d', async (operationName, expected) => {
    const query = 'query A { a: __typename } query B { b: __typename }';
    const { status, body } = await new Client(server.baseUrl, key).send('POST', '/graphql', {
      body: { query, operationName },
    });
    expect(status).toBe(expected);
    if (expected === 200) expect(body).toEqual({ data: { b: 'Query' } });
    else expect(body.data).toBeUndefined();
  });
});

/** What is taken, and costs as much as can be had within the limits; `plain` is what the others are measured by. */
const COSTLY: Record<string, string> = {
  plain: '{ workflows(perPage: 1) { items { id } } }',
  'the standard introspection': getIntrospectionQuery(),
  'introspection of two levels':
    '{ __schema { types { fields { type { fields { name description type { name } } } } } } }',
  'fragments that double': `{ workflows { items { ...F0 } } } ${repeated(60, (index) => `fragment F${index} on Workflow { ...F${index + 1} ...F${index + 1} }`)} fragment F60 on Workflow { id }`,
  'many fragments of one type': `{ workflows { items { ${repeated(90, (index) => `...F${index}`)} } } } ${repeated(90, (index) => `fragment F${index} on Workflow { id name }`)}`,
  'fields that merge': `{ viewer { account { ${repeated(300, () => 'id')} } } }`,
  'nested inline fragments': `{ workflows { items { ${'... { '.repeat(320)} id ${'}'.repeat(320)} } } }`,
  'all the nodes there are':
    '{ workflows(perPage: 70) { items { triggers(perPage: 70) { items { id workflow { id name } } } } } }',
  'names that are nearly right': `{ workflows { items { ${repeated(480, (index) => `nam${index}`)} } } }`,
  'variables that are never used': `query (${repeated(240, (index) => `$a${index}: Int`)}) { workflows { items { id } } }`,
};

/** Introspection that asks for each list many times over: megabytes out of a few hundred bytes. */
const LEAVES = 'name description isDeprecated type { name kind description } args { name type { name kind } }';
const AMPLIFIED = [
  `{ ${repeated(10, (index) => `a${index}: __schema { types { fields { type { fields { name } } } } }`)} }`,
  `{ __schema { types { fields { type { ${repeated(15, (index) => `a${index}: fields { ${LEAVES} }`)} } } } } }`,
  `{ __schema { types { ...T } } } fragment T on __Type { fields { type { ofType { ${repeated(12, (index) => `a${index}: fields { ${LEAVES} }`)} } } } }`,
];

describe('the cost of a document', () => {
  it('is never outrageous', async () => {
    const client = new Client(server.baseUrl, key);
    const costs: Record<string, number> = {};
    for (const [name, query] of Object.entries(COSTLY)) {
      const times: number[] = [];
      for (let run = 0; run < 4; run += 1) {
        const before = process.cpuUsage();
        await client.graphql(query);
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      // The least of several: what else the process did is no cost of the document.
      costs[name] = Math.min(...times);
    }
    for (const [name, cost] of Object.entries(costs))
      expect([name, cost / costs['plain']! < 100]).toEqual([name, true]);
  });

  it('counts what introspection gives among its nodes', async () => {
    for (const query of AMPLIFIED) {
      const { status, body } = await new Client(server.baseUrl, key).graphql(query);
      expect([status, body.errors![0].message]).toEqual([400, expect.stringMatching(/nodes; at most 5000/)]);
    }
  });
});
