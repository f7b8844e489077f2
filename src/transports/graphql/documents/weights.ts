import { type FieldNode, Kind, type ValueNode } from 'graphql';
import { type Amount, type Variables } from './amount.js';
import { isFar, PAGE_SIZE } from '../../../platform/db/pages/pagination.js';
import { literal } from './page-sizes.js';

/**
 * The weight of a request for the rate limit (admission/rate-limits.ts): one for each root field, or for each hundred
 * objects or each thousand values when those are more. Arguments of these kinds add to it on each object that they occur on, and so do fields
 * that declare a cost (`platform/graphql/field-cost.ts`).
 */
const WEIGHTS = { search: 4, farPage: 9 } as const;

/** Objects that weigh as much as one root field: a page of the largest size weighs one. */
const OBJECTS_PER_WEIGHT = 100;
/** Values that weigh as much, beyond the first ones: they take 8 ms. A page of the largest size has 2,500. */
export const VALUES_PER_WEIGHT = 1_000;

/** Tokens of an uncached document that weigh one: they take 1 ms to parse and validate. */
export const TOKENS_PER_WEIGHT = 250;

/** The weight of the size of an operation: that of its root fields, objects or values, whichever is the largest. */
export function sizeWeight(rootFields: number, objects: number, values: number): number {
  return Math.max(1, rootFields, Math.ceil(objects / OBJECTS_PER_WEIGHT), Math.floor(values / VALUES_PER_WEIGHT) - 1);
}

/** The weight that the arguments of one field add to its operation. */
export function weightOf(field: FieldNode): Amount {
  const [search, page, perPage] = ['search', 'page', 'perPage'].map((name) => argumentOf(field, name));
  if (search === undefined && page === undefined) return 0;
  const weigh = (variables: Variables): number =>
    (isGiven(valueIn(search, variables)) ? WEIGHTS.search : 0) +
    (isFarPage(valueIn(page, variables), valueIn(perPage, variables)) ? WEIGHTS.farPage : 0);
  const isFixed = [search, page, perPage].every((value) => value?.kind !== Kind.VARIABLE);
  return isFixed ? weigh({}) : weigh;
}

function argumentOf({ arguments: given }: FieldNode, name: string): ValueNode | undefined {
  return given?.find((argument) => argument.name.value === name)?.value;
}

function valueIn(node: ValueNode | undefined, variables: Variables): unknown {
  if (node === undefined || node.kind === Kind.NULL) return undefined;
  if (node.kind === Kind.VARIABLE) {
    return Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
  }
  return literal(node);
}

function isGiven(search: unknown): boolean {
  return typeof search === 'string' && search !== '';
}

/** True for a page beyond the far limit; other code refuses a page that is not a number. */
function isFarPage(page: unknown, perPage: unknown): boolean {
  return typeof page === 'number' && isFar({ page, perPage: typeof perPage === 'number' ? perPage : PAGE_SIZE });
}
