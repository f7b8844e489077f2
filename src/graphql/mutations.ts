import { type DocumentNode, Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';

/** The mutations that a valid document names, whichever of its operations is to run; `__typename` is one of them. */
export function mutationsIn(document: DocumentNode): string[] {
  const fragments = new Map<string, SelectionSetNode>();
  const roots: SelectionSetNode[] = [];
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet);
    else if (node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.MUTATION) {
      roots.push(node.selectionSet);
    }
  }
  return roots.flatMap((root) => fieldsOf(root, fragments));
}

function fieldsOf({ selections }: SelectionSetNode, fragments: ReadonlyMap<string, SelectionSetNode>): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value;
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value)!;
    return fieldsOf(inner, fragments);
  });
}
