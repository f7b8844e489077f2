import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** What of an operation tells which fields are asked of a result. */
export type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Whether a field is asked of the result, or of what lies at a path of fields in it, by whatever fragment; one that
 * `@skip` may leave out counts too.
 */
export function asksFor({ fieldNodes, fragments }: Asked, ...path: readonly [string, ...string[]]): boolean {
  const isIn = (selected: SelectionSetNode | undefined, [name, ...rest]: readonly string[]): boolean =>
    selected?.selections.some((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet, [name!, ...rest]);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return isIn(fragments[selection.name.value]?.selectionSet, [name!, ...rest]);
      }
      return selection.name.value === name && (rest.length === 0 || isIn(selection.selectionSet, rest));
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet, path));
}
