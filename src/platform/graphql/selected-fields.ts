import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** The part of the resolve info that holds the selected fields. */
export type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** Results by field nodes, which are the same for each item of a list. */
const known = new WeakMap<Selection['fieldNodes'], Map<string, boolean>>();

/**
 * Whether a field is selected at a path of fields below the result, directly or in a fragment; a field that `@skip` may
 * leave out counts too. Each fragment is visited once for each field of the path.
 */
export function isSelected(selection: Selection, ...path: readonly [string, ...string[]]): boolean {
  let answers = known.get(selection.fieldNodes);
  if (answers === undefined) known.set(selection.fieldNodes, (answers = new Map<string, boolean>()));
  const name = path.join('.');
  let answer = answers.get(name);
  if (answer === undefined) answers.set(name, (answer = find(selection, path)));
  return answer;
}

function find({ fieldNodes, fragments }: Selection, path: readonly string[]): boolean {
  const seen = new Set<string>();
  const isIn = (selected: SelectionSetNode | undefined, at: number): boolean =>
    selected?.selections.some((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet, at);
      if (selection.kind === Kind.FIELD) {
        return selection.name.value === path[at] && (at === path.length - 1 || isIn(selection.selectionSet, at + 1));
      }
      const place = `${at} ${selection.name.value}`;
      if (seen.has(place)) return false;
      seen.add(place);
      return isIn(fragments[selection.name.value]?.selectionSet, at);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet, 0));
}
