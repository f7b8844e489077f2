import { type FieldNode, type GraphQLField, Kind, type ValueNode } from 'graphql';
import { PAGE_SIZE } from '../../../platform/db/pages/pagination.js';
import { type Amount, combined } from './amount.js';

const LARGEST_PAGE = 100;
/** The arguments that set how many items a list may return. */
const SIZES: ReadonlySet<string> = new Set(['perPage', 'first', 'last', 'limit']);
/** The argument that names the items. */
const IDS = 'ids';

/** How many items a field may return; undefined when no argument says. */
export function pageSize(field: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): Amount | undefined {
  if (definition?.args.some(({ name }) => name === IDS)) return sizeBy(field, IDS, lengthOf);
  const sizes = definition?.args.filter(({ name }) => SIZES.has(name)) ?? [];
  if (sizes.length === 0) return undefined;
  const usual = (sizes[0]!.defaultValue as number | undefined) ?? PAGE_SIZE;
  const given = sizes.filter(({ name }) => field.arguments?.some((argument) => argument.name.value === name));
  // Only one of them may be given; beside a null the other one counts.
  return given
    .map(({ name }) => sizeBy(field, name, (size) => sizeFrom(size, usual)))
    .reduce<Amount>((a, b) => combined(a, b, Math.max), given.length === 0 ? usual : 0);
}

/** The number of items that one argument asks for. */
function sizeBy(field: FieldNode, name: string, sizeOf: (value: unknown) => number): Amount {
  const given = field.arguments?.find((argument) => argument.name.value === name)?.value;
  if (given?.kind !== Kind.VARIABLE) return sizeOf(given?.kind === Kind.LIST ? given.values : given && literal(given));
  const variable = given.name.value;
  return (variables) => sizeOf(Object.hasOwn(variables, variable) ? variables[variable] : undefined);
}

function lengthOf(ids: unknown): number {
  return Array.isArray(ids) ? ids.length : 1;
}

function sizeFrom(size: unknown, usual: number): number {
  if (size === undefined || size === null) return usual;
  // Other code refuses an invalid size; here the largest legal size is a safe estimate. Some JSON numbers become
  // infinite when multiplied, and 0 times infinity is not a number at all.
  return Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : LARGEST_PAGE;
}

/** A number, string or enum literal of a document; null for any other value. */
export function literal(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.STRING || value.kind === Kind.ENUM ? value.value : null;
}
