import {
  buildClientSchema,
  getIntrospectionQuery,
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const TEXTS = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '𝒳'.repeat(300),
  'x'.repeat(20_000),
  "'; DROP TABLE runs; --",
  '%_\\',
  '{{',
  '__proto__',
];
/** The first is replaced by a workflow that is there. */
const IDS = [
  'wf_01h455vb4pex5vsknk084sn02q',
  'int_01h455vb4pex5vsknk084sn02q',
  'wf_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  '5',
  '-1',
];
/** What a type's values can be at worst, of those that it lets through and of those that it does not. */
const NASTY: Record<string, readonly unknown[]> = {
  ID: [...TEXTS, ...IDS, 5],
  String: TEXTS,
  Int: [0, -1, 2_147_483_647, -2_147_483_648, 2 ** 31, 1.5, '1', 1e300],
  DateTime: [
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-01-01T00:00:60Z',
    'now',
    '',
    0,
    8.64e15,
  ],
  JSONObject: [
    {},
    { cron: '* * * * *' },
    { event: 'item.created' },
    { api_key: '\0' },
    { api_key: 5 },
    { '\0': 1 },
    { '\ud800': 'x' },
    { cron: '* * * * *\0', event: '\ud800' },
    { url: 'http://[', method: '\0', headers: { 'a\nb': 'c' } },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'),
    deep(150),
    [],
    'text',
  ],
  JSON: ['\0', { a: '\ud800' }, deep(150), null],
  Boolean: [true, 'true', 1],
};

describe('hostile values', () => {
  let server: TestServer;
  let client: Client;
  let schema: GraphQLSchema;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    schema = buildClientSchema((await client.graphql(getIntrospectionQuery())).body.data);
  });
  afterAll(() => server.close());

  it('of any argument of any root field are never an internal error', async () => {
    const faults: unknown[] = [];
    let asked = 0;
    for (const root of [schema.getQueryType()!, schema.getMutationType()!]) {
      for (const field of Object.values(root.getFields())) {
        const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`);
        const given = field.args.map(({ name }) => `${name}: $${name}`);
        const arguments_ = declared.length === 0 ? ['', ''] : [`(${declared.join(' ')})`, `(${given.join(' ')})`];
        const selection = /ID!$/.test(String(field.type)) ? '' : '{ __typename }';
        const kind = root === schema.getQueryType() ? 'query' : 'mutation';
        const query = `${kind} ${arguments_[0]} { ${field.name}${arguments_[1]} ${selection} }`;
        IDS[0] = (await client.rest('POST', '/workflows', { body: { name: 'there', status: 'active' } })).body
          .id as string;
        const ordinary = Object.fromEntries(
          field.args
            .filter(({ type }) => isNonNullType(type))
            .map(({ name, type, defaultValue }) => [name, defaultValue ?? ordinaryOf(type)]),
        );
        for (const { name, type } of field.args) {
          for (const value of [...nastyOf(type), ...goodOf(name)]) {
            const { status, body } = await client.graphql(query, { ...ordinary, [name]: value });
            asked += 1;
            const ours = (body.errors ?? []).some(({ extensions }) => /INTERNAL|UNAVAILABLE/.test(extensions.code));
            if (status >= 500 || ours) faults.push({ field: field.name, name, value, status, errors: body.errors });
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(asked).toBeGreaterThan(300);
  });
});

/** A value that gets past the type. */
function ordinaryOf(type: GraphQLInputType): unknown {
  const named = getNullableType(type);
  if (isListType(named)) return [];
  if (isEnumType(named)) return named.getValues()[0]!.name;
  if (!isInputObjectType(named))
    return {
      ID: IDS[0],
      String: 'sandbox_api_key',
      Int: 1,
      JSONObject: {},
      JSON: null,
      Boolean: true,
      DateTime: '2030-01-01T00:00:00Z',
    }[named.name];
  const required = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(required.map(({ name, type: inner }) => [name, ordinaryOf(inner)]));
}

function nastyOf(type: GraphQLInputType): unknown[] {
  const named = getNullableType(type);
  if (isListType(named)) return [[], [null], ...nastyOf(named.ofType).map((value) => [value])];
  if (isEnumType(named)) return [...named.getValues().map(({ name }) => name), 'NOPE', 'toString', 5];
  if (!isInputObjectType(named)) return [null, ...NASTY[named.name]!];
  const fields = Object.values(named.getFields());
  // Each with every possible kind: the config of a trigger or an action is validated by its kind.
  const kinds = fields.flatMap(({ name, type: inner }) => {
    const enumeration = getNullableType(inner);
    return isEnumType(enumeration) ? enumeration.getValues().map((value) => ({ [name]: value.name })) : [];
  });
  const ordinary = ordinaryOf(named) as object;
  const bases = kinds.length === 0 ? [ordinary] : kinds.map((kind) => ({ ...ordinary, ...kind }));
  const spoiled = fields.flatMap((field) =>
    [...nastyOf(field.type), ...goodOf(field.name)].flatMap((value) =>
      bases.map((base) => ({ ...base, [field.name]: value })),
    ),
  );
  return [null, {}, 'text', ...spoiled];
}

/** What gets past the rules behind a type: the key stands nowhere else, since no database may hold it in the clear. */
function goodOf(name: string): unknown[] {
  return name === 'credentials' ? [{ api_key: 'sandbox_valid_key' }] : [];
}
