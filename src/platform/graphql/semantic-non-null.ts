import {
  DirectiveLocation,
  getNullableType,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  type GraphQLSchema,
  Kind,
  parse,
  printSchema,
  type TypeNode,
} from 'graphql';

const NAME = 'semanticNonNull';

/** Marks fields that are null only beside an error (https://specs.apollo.dev/nullability/v0.4). */
export const semanticNonNull = new GraphQLDirective({
  name: NAME,
  description: 'The value is null only if the response has an error for it. `levels`: 0 is the field, 1 its items.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: { levels: { type: new GraphQLList(GraphQLInt), defaultValue: [0] } },
});

/**
 * Makes the root fields of queries and mutations nullable: a field that fails leaves the values of the others in the
 * response. A root field is null only beside its error.
 */
export function relaxRoots(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
}

/** The schema as text, with `@semanticNonNull` at the root fields of queries and mutations. */
export function printedSchema(schema: GraphQLSchema): string {
  return withRoots(schema, (type) => {
    const levels = nullableLevels(type);
    return ` @${NAME}${levels.join() === '0' ? '' : `(levels: [${levels.join(', ')}])`}`;
  });
}

/** The schema as text for a client that treats a response with a null root field as failed: they are non-null there. */
export function strictSchema(schema: GraphQLSchema): string {
  return withRoots(schema, () => '!');
}

/** Prints a schema with a text behind the type of each root field. */
function withRoots(schema: GraphQLSchema, textBehind: (type: TypeNode) => string): string {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.name);
  const text = printSchema(schema);
  const places = parse(text)
    .definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ name }) => roots.includes(name.value))
    .flatMap(({ fields = [] }) => fields.map(({ type }) => ({ end: type.loc!.end, inserted: textBehind(type) })))
    .toSorted((a, b) => a.end - b.end);
  const starts = [0, ...places.map(({ end }) => end)];
  const parts = starts.map((start, index) => text.slice(start, places[index]?.end) + (places[index]?.inserted ?? ''));
  return `${parts.join('')}\n`;
}

/** The list levels of a type that may be null, from 0 for the value itself. */
function nullableLevels(type: TypeNode, level = 0): number[] {
  const isNonNull = type.kind === Kind.NON_NULL_TYPE;
  const inner = isNonNull ? type.type : type;
  const items = inner.kind === Kind.LIST_TYPE ? nullableLevels(inner.type, level + 1) : [];
  return isNonNull ? items : [level, ...items];
}
