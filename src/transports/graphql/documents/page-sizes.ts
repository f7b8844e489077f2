import { type FieldNode, type GraphQLField, type GraphQLSchema, Kind, type ValueNode } from 'graphql';
import { type Amount } from './amount.js';

const LARGEST_PAGE = 100;
/** The arguments that say how many items a list may give. */
const SIZES: ReadonlySet<string> = new Set(['perPage', 'first']);
/** How long the lists of introspection are on average; `types` has as many as there are. Tools ask for each list once. */
const INTROSPECTED: Readonly<Record<string, number>> = {
  fields: 8,
  args: 2,
  inputFields: 6,
  enumValues: 6,
  interfaces: 1,
  possibleTypes: 2,
  directives: 4,
};

/** How many items a field may give; undefined when no argument says. */
export function pageSize(field: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): Amount | undefined {
  const argument = definition?.args.find(({ name }) => SIZES.has(name));
  if (argument === undefined) return undefined;
  const given = field.arguments?.find(({ name }) => SIZES.has(name.value))?.value;
  const sizeFrom = (size: unknown): number => {
    if (size === undefined) return argument.defaultValue as number;
    // A size that is no number of items is refused elsewhere; until then the largest legal one is a safe guess. Some
    // numbers of JSON are infinite once they are multiplied, and none of infinitely many is no number at all.
    return Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : LARGEST_PAGE;
  };
  if (given?.kind !== Kind.VARIABLE) return sizeFrom(given && literal(given));
  const name = given.name.value;
  return (variables) => sizeFrom(Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** How many items a list of introspection gives; undefined for a field that is none. */
export function introspectedSize(schema: GraphQLSchema, field: string): number | undefined {
  return field === 'types' ? Object.keys(schema.getTypeMap()).length : INTROSPECTED[field];
}

/** A number or text as it stands in a document; null for any other value. */
export function literal(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.STRING ? value.value : null;
}
