import { type GraphQLNamedType } from 'graphql';
import { type JsonSchema } from './json-schema.js';

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object', additionalProperties: true },
  JSON: {},
};

/** How a scalar is written in JSON. @throws Error for one that this table lacks. */
export function scalarAnswer(type: GraphQLNamedType | { toString(): string }): JsonSchema {
  const schema = SCALARS[String(type)];
  if (schema === undefined) throw new Error(`No JSON Schema is known for the scalar ${String(type)}.`);
  return schema;
}
