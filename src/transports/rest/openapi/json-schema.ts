/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The same schema, with null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type !== 'string' || 'enum' in schema) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'] };
}

/** Adds a description, if there is one. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { description, ...schema } : schema;
}
