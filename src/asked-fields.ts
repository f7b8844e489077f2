import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** What of an operation tells which fields are asked of a result. */
export type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** Whether a field of that name is asked of the result, by whatever fragment; one that `@skip` may leave out counts too. */
export function asksFor({ fieldNodes, fragments }: Asked, name: string): boolean {
  const isIn = (selected: SelectionSetNode | undefined): boolean =>
    selected?.selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet);
      return isIn(fragments[selection.name.value]?.selectionSet);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet));
}
