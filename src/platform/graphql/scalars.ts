import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import {
  GraphQLDateTimeISO as DateTimeISO,
  GraphQLJSON as AnyJson,
  GraphQLJSONObject as AnyJsonObject,
} from 'graphql-scalars';
import { isoText } from '../iso-text.js';
import { depthOf } from '../json/json-depth.js';

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
  parseLiteral: (node, variables): unknown => valueOf(shallow(node, variables), variables),
});

/** A JSON object, given back with its keys in the order they came. */
export const JsonObject = new GraphQLScalarType({
  name: 'JSONObject',
  description: `A JSON object. ${NUMBERS}`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => AnyJsonObject.parseValue(value),
  parseLiteral: (node, variables) => {
    const parse = shallow(node, variables).kind === Kind.OBJECT ? valueOf : AnyJsonObject.parseLiteral;
    return parse(node, variables) as Record<string, unknown>;
  },
});

type Variables = Record<string, unknown> | null | undefined;

/** Bodies are checked before they are parsed; a literal in a document is checked here, with the variables in it. */
function shallow(node: ValueNode, variables: Variables): ValueNode {
  if (deeperThan(node, MAX_JSON_LEVELS, variables)) {
    throw new GraphQLError(`JSON may be nested ${MAX_JSON_LEVELS} levels deep.`, { nodes: node });
  }
  return node;
}

/**
 * As JSON.parse would produce it. The library's objects have no prototype, which TypeGraphQL cannot handle. The value of a
 * variable is not copied: a document may use it a thousand times.
 */
function valueOf(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      // Object.fromEntries defines `__proto__` like any other key.
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, valueOf(value, variables)]));
    case Kind.LIST:
      return node.values.map((inner) => valueOf(inner, variables));
    case Kind.INT:
    case Kind.FLOAT:
      return finite(parseFloat(node.value));
    default:
      return AnyJson.parseLiteral(node, variables);
  }
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new GraphQLError('A number in JSON exceeds the range of a double.');
}

function deeperThan(node: ValueNode, levels: number, variables: Variables): boolean {
  if (node.kind === Kind.VARIABLE) return depthOfGiven(variables?.[node.name.value]) > levels;
  if (node.kind !== Kind.LIST && node.kind !== Kind.OBJECT) return false;
  const inner = node.kind === Kind.LIST ? node.values : node.fields.map(({ value }) => value);
  return levels === 0 || inner.some((value) => deeperThan(value, levels - 1, variables));
}

/** The depth of each object that a variable is. */
const depths = new WeakMap<object, number>();

/** Looks through the value of a variable once, however often a document uses it. */
function depthOfGiven(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const depth = depths.get(value) ?? depthOf(value, MAX_JSON_LEVELS);
  depths.set(value, depth);
  return depth;
}
