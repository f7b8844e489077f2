import { type FieldNode, type GraphQLField, type GraphQLSchema, Kind, type ValueNode } from 'graphql';
import { type Amount } from './amount.js';

const LARGEST_PAGE = 100;
/** The arguments that set how many items a list may return. */
const SIZES: ReadonlySet<string> = new Set(['perPage', 'first']);
/** Average lengths of introspection lists; `types` has its real length. Tools request each list once. */
const INTROSPECTED: Readonly<Record<string, number>> = {
  fields: 8,
  args: 2,
  inputFields: 6,
  enumValues: 6,
  interfaces: 1,
  possibleTypes: 2,
  directives: 4,
};

/** How many items a field may return; undefined when no argument says. */
export function pageSize(field: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): Amount | undefined {
  const argument = definition?.args.find(({ name }) => SIZES.has(name));
  if (argument === undefined) return undefined;
  const given = field.arguments?.find(({ name }) => SIZES.has(name.value))?.value;
  const sizeFrom = (size: unknown): number => {
    if (size === undefined) return argument.defaultValue as number;
    // Other code refuses an invalid size; here the largest legal size is a safe estimate. Some JSON numbers become
    // infinite when multiplied, and 0 times infinity is not a number at all.
    return Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : LARGEST_PAGE;
  };
  if (given?.kind !== Kind.VARIABLE) return sizeFrom(given && literal(given));
  const name = given.name.value;
  return (variables) => sizeFrom(Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** How many items an introspection list returns; undefined for any other field. */
export function introspectedSize(schema: GraphQLSchema, field: string): number | undefined {
  return field === 'types' ? Object.keys(schema.getTypeMap()).length : INTROSPECTED[field];
}

/** A number or string literal of a document; null for any other value. */
export function literal(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.STRING ? value.value : null;
}
