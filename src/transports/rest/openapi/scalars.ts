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

/** The JSON Schema of a scalar. @throws Error for a scalar that this table lacks. */
export function scalarAnswer(type: GraphQLNamedType | { toString(): string }): JsonSchema {
  const schema = SCALARS[String(type)];
  if (schema === undefined) throw new Error(`The scalar ${String(type)} has no JSON Schema in this table.`);
  return schema;
}
