import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import {
  GraphQLDateTimeISO as DateTimeISO,
  GraphQLJSON as AnyJson,
  GraphQLJSONObject as AnyJsonObject,
} from 'graphql-scalars';
import { isoText } from '../iso-text.js';
import { isDeeper } from '../json/json-depth.js';

/** The maximum of nested `[]` and `{}` levels in any JSON input. */
export const MAX_JSON_LEVELS = 200;

/** A moment as ISO 8601 in UTC with milliseconds, e.g. `2026-11-21T09:00:00.000Z`; input may have any offset (RFC 3339). */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment as ISO 8601 in UTC, e.g. `2026-11-21T09:00:00.000Z`. Input may have any offset (RFC 3339).',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: (value) => isoText(value as Date),
  parseValue: (value) => DateTimeISO.parseValue(value),
  parseLiteral: (node, variables) => DateTimeISO.parseLiteral(node, variables),
});

const NUMBERS =
  'Numbers are IEEE 754 doubles (RFC 8259, section 6): an integer beyond ±2^53 is rounded, so send ids as strings.';

/** Any JSON value. */
export const Json = new GraphQLScalarType({
  name: 'JSON',
  description: `Any JSON value. ${NUMBERS}`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value): unknown => AnyJson.parseValue(value),
  parseLiteral: (node, variables): unknown => ordinary(AnyJson.parseLiteral(shallow(node, variables), variables)),
});

/** A JSON object, given back with its keys in the order they came. */
export const JsonObject = new GraphQLScalarType({
  name: 'JSONObject',
  description: `A JSON object. ${NUMBERS}`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => AnyJsonObject.parseValue(value),
  parseLiteral: (node, variables) =>
    ordinary(AnyJsonObject.parseLiteral(shallow(node, variables), variables)) as Record<string, unknown>,
});

type Variables = Record<string, unknown> | null | undefined;

/** Bodies are checked before they are parsed; a literal in a document is checked here, with the variables in it. */
function shallow(node: ValueNode, variables: Variables): ValueNode {
  if (deeperThan(node, MAX_JSON_LEVELS, variables)) {
    throw new GraphQLError(`JSON may be nested ${MAX_JSON_LEVELS} levels deep.`, { nodes: node });
  }
  return node;
}

/** As JSON.parse would produce it: literals come as objects without a prototype, which TypeGraphQL cannot handle. */
function ordinary(value: unknown): unknown {
  if (value === Infinity || value === -Infinity)
    throw new GraphQLError('A number in JSON exceeds the range of a double.');
  if (Array.isArray(value)) return value.map(ordinary);
  if (typeof value !== 'object' || value === null) return value;
  // Object.fromEntries defines `__proto__` like any other key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ordinary(inner)]));
}

function deeperThan(node: ValueNode, levels: number, variables: Variables): boolean {
  if (node.kind === Kind.VARIABLE) return isDeeper(variables?.[node.name.value], levels);
  if (node.kind !== Kind.LIST && node.kind !== Kind.OBJECT) return false;
  const inner = node.kind === Kind.LIST ? node.values : node.fields.map(({ value }) => value);
  return levels === 0 || inner.some((value) => deeperThan(value, levels - 1, variables));
}
