import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type OperationKind } from '../security/root-fields.js';
import { fieldsOf, json, type Spelling, text } from './values.js';

/** A root field that random requests ask. */
export interface AskedField {
  operation: OperationKind;
  field: GraphQLField<unknown, unknown>;
}

/** What is asked of a root field; the names of things are not yet ids. */
export interface RandomOperation {
  variables: Record<string, unknown>;
  /** Whether the arguments stand in the document instead. */
  inline: boolean;
}

/** GraphQL's own: names and enum words as the schema has them. */
const GRAPHQL_SPELLING: Spelling = { name: (name) => name, word: (name) => name };

/** Every root field of the schema; new ones are included automatically. */
export function askedFields(schema: GraphQLSchema, ...operations: OperationKind[]): AskedField[] {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return operations.flatMap((operation) =>
    Object.values(roots[operation]!.getFields()).map((field) => ({ operation, field })),
  );
}

/** Arguments of a root field: mostly right, now and then anything whatever. */
export function operationsOf({ field }: AskedField): Arbitrary<RandomOperation> {
  const kinds = ['integration', 'trigger', 'run', 'webhook', 'workflow'];
  const kind = kinds.find((word) => field.name.toLowerCase().includes(word));
  return fc.record({
    variables: fieldsOf(field.args, GRAPHQL_SPELLING, kind),
    inline: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });
}

/** The document and variables of one operation. */
export function requestOf(
  schema: GraphQLSchema,
  { operation, field }: AskedField,
  { variables, inline }: RandomOperation,
): { query: string; variables: Record<string, unknown> } {
  const selection = selectionOf(schema, getNamedType(field.type), 2);
  if (inline) {
    const given = Object.entries(variables).map(([name, value]) => `${name}: ${literal(value)}`);
    return { query: `${operation} { ${field.name}${parenthesised(given)}${selection} }`, variables: {} };
  }
  const sent = field.args.filter(({ name }) => Object.hasOwn(variables, name));
  const declared = sent.map((argument) => `$${argument.name}: ${declaredType(argument)}`);
  const passed = sent.map(({ name }) => `${name}: $${name}`);
  const query = `${operation} ${parenthesised(declared)} { ${field.name}${parenthesised(passed)}${selection} }`;
  return { query, variables };
}

function declaredType({ type, defaultValue }: GraphQLArgument): string {
  return isNonNullType(type) && defaultValue !== undefined ? String(type.ofType) : String(type);
}

function parenthesised(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}

/** Every leaf of a type, and of what it links to, so many levels deep. */
export function selectionOf(schema: GraphQLSchema, type: GraphQLNamedType, levels: number): string {
  if (isLeafType(type)) return '';
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => `... on ${member.name}${selectionOf(schema, member, levels)}`);
    return ` { __typename ${members.join(' ')} }`;
  }
  if (!isObjectType(type)) return ' { __typename }';
  const parts = Object.values(type.getFields()).flatMap(({ name, type: inner, args }) => {
    const named = getNamedType(inner);
    if (isLeafType(named)) return [name];
    return levels === 0 || args.length > 0 ? [] : [`${name}${selectionOf(schema, named, levels - 1)}`];
  });
  return ` { __typename ${parts.join(' ')} }`;
}

/** A value as it stands in a document; a key that is no name makes it no document. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string' && /^[A-Z]+(_[A-Z]+)*$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(
    ([key, inner]) => `${/^[_A-Za-z]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(inner)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** What a transport may be sent in the place of an operation's parameters. */
export const anyParameters: Arbitrary<unknown> = fc.oneof(
  fc.record(
    {
      query: fc.oneof(
        fc.constantFrom(
          '{ viewer { account { name } } }',
          '{ __typename',
          'query A { a: __typename } query B { b: __typename }',
          'subscription { integrationStatusChanged(integrationId: "x") { id } }',
          'subscription { integrationStatusChanged @skip(if: true) { id } }',
          'subscription ($x: Boolean!) { ... @include(if: $x) { integrationStatusChanged { id } } }',
          'query ($x: Boolean) @skip(if: $x) { a: __typename @include(if: 5) viewer @skip(if: true) { __typename } }',
        ),
        text,
        json,
      ),
      variables: json,
      operationName: fc.oneof(fc.constantFrom('A', 'B', '__proto__', 'constructor', ''), text, json),
      extensions: fc.oneof(fc.constant({ persistedQuery: { version: 1, sha256Hash: 'x' } }), json),
    },
    { requiredKeys: [] },
  ),
  json,
);
