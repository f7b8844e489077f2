import { DirectiveLocation, type FieldNode, GraphQLDirective, GraphQLNonNull, GraphQLString, Kind } from 'graphql';

/** Whether a key is left out: by its value as the schema gives it, and by the keys that were written before it. */
export type Omission = (value: unknown, written: Readonly<Record<string, unknown>>) => boolean;

const RULES: Readonly<Record<string, Omission>> = {
  // For fields that are present only under a condition.
  omitIfNull: (value) => value === null,
  omitIfEmpty: (value) => Array.isArray(value) && value.length === 0,
  omitIfFalse: (value) => value === false,
};
const UNLESS = 'omitUnless';
const BESIDE = 'omitBeside';

const text = { type: new GraphQLNonNull(GraphQLString) };
const locations = [DirectiveLocation.FIELD];

/**
 * The directives of REST documents that leave keys out. `@omitUnless(key: "type", is: "schedule")` keeps one only where
 * a key that stands before it has that value; a null is then written. `@omitBeside(key: "page")` keeps one only where that
 * key was not written.
 */
export const OMITTING_DIRECTIVES: readonly GraphQLDirective[] = [
  ...Object.keys(RULES).map((name) => new GraphQLDirective({ name, locations })),
  new GraphQLDirective({ name: UNLESS, locations, args: { key: text, is: text } }),
  new GraphQLDirective({ name: BESIDE, locations, args: { key: text } }),
];

/** The directives that leave a field out; `@skip` and `@include` are GraphQL's own. */
const OMITTING = new Set([...OMITTING_DIRECTIVES.map(({ name }) => name), 'skip', 'include']);

/** The names of the directives of a field that leave it out. */
export function omittingDirectives({ directives = [] }: FieldNode): string[] {
  return directives.map(({ name }) => name.value).filter((name) => OMITTING.has(name));
}

/** When a field is left out; undefined for one that never is. */
export function omissionOf(field: FieldNode): Omission | undefined {
  const rules = omittingDirectives(field).map((name) => RULES[name] ?? ruleOf(name, field));
  return rules.length === 0 ? undefined : (value, written) => rules.some((omits) => omits(value, written));
}

function ruleOf(name: string, { directives = [] }: FieldNode): Omission {
  const given = directives.find((directive) => directive.name.value === name)?.arguments ?? [];
  const { key = '', is } = Object.fromEntries(
    given.map(({ name, value }) => [name.value, value.kind === Kind.STRING ? value.value : '']),
  );
  if (name === UNLESS) return (_, written) => written[key] !== is;
  // What is skipped has no value, but the key is there.
  if (name === BESIDE) return (_, written) => written[key] !== undefined;
  return (value) => value === undefined;
}
