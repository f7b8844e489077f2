import { type GraphQLResolveInfo, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

/** The part of the resolve info that holds the selected fields. */
export type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** Results by field nodes, which are the same for each item of a list. */
const known = new WeakMap<Selection['fieldNodes'], Map<string, boolean>>();

/** Whether a field is resolved for an item of a list, at any level above it. */
export function isInList({ path }: Pick<GraphQLResolveInfo, 'path'>): boolean {
  for (let at: GraphQLResolveInfo['path'] | undefined = path; at !== undefined; at = at.prev) {
    if (typeof at.key === 'number') return true;
  }
  return false;
}

/** Whether a page's total is selected. To count its items may take much longer than to read the page. */
export function countsItems(selection: Selection): boolean {
  return isSelected(selection, 'meta', 'total') || isSelected(selection, 'meta', 'totalCapped');
}

/**
 * Whether a field is selected at a path of fields below the result, directly or in a fragment. One that a variable skips
 * is not; `@include` is not looked at. Each fragment is visited once for each field of the path.
 */
export function isSelected(selection: Selection, ...path: readonly string[]): boolean {
  let answers = known.get(selection.fieldNodes);
  if (answers === undefined) known.set(selection.fieldNodes, (answers = new Map<string, boolean>()));
  const name = path.join('.');
  const answer = answers.get(name);
  if (answer !== undefined) return answer;
  const { isFound, varies } = find(selection, path);
  if (!varies) answers.set(name, isFound);
  return isFound;
}

/** `varies`: whether other variables may lead to another result. */
function find(selection: Selection, path: readonly string[]): { isFound: boolean; varies: boolean } {
  const { fieldNodes, fragments, variableValues } = selection;
  const seen = new Set<string>();
  let varies = false;
  const isSkipped = (node: SelectionNode): boolean => {
    const condition = node.directives?.find(({ name }) => name.value === 'skip')?.arguments?.[0]?.value;
    if (condition?.kind !== Kind.VARIABLE) return false;
    varies = true;
    return variableValues[condition.name.value] === true;
  };
  const isIn = (selected: SelectionSetNode | undefined, at: number): boolean =>
    selected?.selections.some((node) => {
      if (node.kind === Kind.INLINE_FRAGMENT) return !isSkipped(node) && isIn(node.selectionSet, at);
      if (node.kind === Kind.FIELD) {
        if (node.name.value !== path[at] || isSkipped(node)) return false;
        return at === path.length - 1 || isIn(node.selectionSet, at + 1);
      }
      const place = `${at} ${node.name.value}`;
      if (seen.has(place) || isSkipped(node)) return false;
      seen.add(place);
      return isIn(fragments[node.name.value]?.selectionSet, at);
    }) ?? false;
  const isFound = fieldNodes.some(({ selectionSet }) => isIn(selectionSet, 0));
  return { isFound, varies };
}
