import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isUnionType,
  parse,
} from 'graphql';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

type Input = GraphQLArgument | GraphQLInputField;

const promised = buildASTSchema(parse(readFileSync(new URL('./promised.graphql', import.meta.url), 'utf8')));
const types = Object.values(promised.getTypeMap()).filter(({ name, astNode }) => astNode && !name.startsWith('__'));

describe('the schema', () => {
  let server: TestServer;
  let served: GraphQLSchema;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    const client = new Client(server.baseUrl, await server.key());
    const { body } = await client.graphql(getIntrospectionQuery({ inputValueDeprecation: true }));
    served = buildClientSchema(body.data);
  });
  afterAll(() => server.close());

  it.each(types.map((type) => [type.name, type]))('has %s as promised', (name, type) => {
    expect(membersOf(served.getType(name)!)).toMatchObject(membersOf(type));
  });

  it('demands no argument of a promised field, and no input field, that was not promised', () => {
    const demanded = types.flatMap((type) => {
      const there = served.getType(type.name)!;
      return demandsOf(there, type).filter((demand) => !demandsOf(type).includes(demand));
    });
    expect(demanded).toEqual([]);
  });
});

/** Each member of a type in one line: `workflows` → `(page: Int! = 1, …): WorkflowPage!`. */
function membersOf(type: GraphQLNamedType): object {
  if (isEnumType(type))
    return {
      values: type
        .getValues()
        .map(({ name }) => name)
        .sort(),
    };
  if (isUnionType(type))
    return {
      members: type
        .getTypes()
        .map(({ name }) => name)
        .sort(),
    };
  if (isScalarType(type)) return { scalar: type.name };
  if (isInputObjectType(type)) return mapped(type.getFields(), inputLine);
  return isObjectType(type) ? mapped(type.getFields(), fieldOf) : {};
}

function fieldOf({ type, args }: GraphQLField<unknown, unknown>): object {
  return {
    type: String(type),
    arguments: Object.fromEntries(args.map((argument) => [argument.name, inputLine(argument)])),
  };
}

function inputLine({ type, defaultValue }: Input): string {
  return defaultValue === undefined ? String(type) : `${String(type)} = ${JSON.stringify(defaultValue)}`;
}

/** What must be given to ask for the fields of a type that `promise` has too, and to fill it as an input. */
function demandsOf(type: GraphQLNamedType, promise = type): string[] {
  if (isInputObjectType(type)) {
    return Object.values(type.getFields())
      .filter(isRequiredInputField)
      .map(({ name }) => `${type.name}.${name}`);
  }
  if (!isObjectType(type) || !isObjectType(promise)) return [];
  const promised = Object.values(type.getFields()).filter(({ name }) => name in promise.getFields());
  return promised.flatMap(({ name, args }) =>
    args.filter(isRequiredArgument).map((argument) => `${type.name}.${name}(${argument.name})`),
  );
}

function mapped<T>(fields: Record<string, T>, print: (field: T) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, print(field)]));
}
