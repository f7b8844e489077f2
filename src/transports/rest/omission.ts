import { DirectiveLocation, type FieldNode, GraphQLDirective, GraphQLNonNull, GraphQLString, Kind } from 'graphql';

/** Whether a key is left out: by its value as the schema gives it, and by the keys that were written before it. */
export type Omission = (value: unknown, written: Readonly<Record<string, unknown>>) => boolean;

const RULES: Readonly<Record<string, Omission>> = {
  // The specification's "present when".
  omitIfNull: (value) => value === null,
  omitIfEmpty: (value) => Array.isArray(value) && value.length === 0,
  omitIfFalse: (value) => value === false,
};
const UNLESS = 'omitUnless';

const text = { type: new GraphQLNonNull(GraphQLString) };
const locations = [DirectiveLocation.FIELD];

/**
 * The directives of REST documents that leave keys out. `@omitUnless(key: "type", is: "schedule")` keeps one only where
 * a key that stands before it has that value; a null is then written.
 */
export const OMITTING_DIRECTIVES: readonly GraphQLDirective[] = [
  ...Object.keys(RULES).map((name) => new GraphQLDirective({ name, locations })),
  new GraphQLDirective({ name: UNLESS, locations, args: { key: text, is: text } }),
];

/** The names of the directives of a field that leave it out. */
export function omittingDirectives({ directives = [] }: FieldNode): string[] {
  return directives.map(({ name }) => name.value).filter((name) => name === UNLESS || name in RULES);
}

/** When a field is left out; undefined for one that never is. */
export function omissionOf(field: FieldNode): Omission | undefined {
  const rules = omittingDirectives(field).map((name) => RULES[name] ?? unlessOf(field));
  return rules.length === 0 ? undefined : (value, written) => rules.some((omits) => omits(value, written));
}

function unlessOf({ directives = [] }: FieldNode): Omission {
  const given = directives.find(({ name }) => name.value === UNLESS)?.arguments ?? [];
  const { key = '', is } = Object.fromEntries(
    given.map(({ name, value }) => [name.value, value.kind === Kind.STRING ? value.value : '']),
  );
  return (_, written) => written[key] !== is;
}
