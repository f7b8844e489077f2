import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { LIMITS } from './limits.js';

/**
 * Why a document can't even be validated: `@skip` or `@include` on the way to the root field of a subscription, which
 * the specification forbids (Single Root Field). graphql-js 16 evaluates them while it validates, and throws where a
 * value is a variable or no boolean; and where the field is left out, it throws when it subscribes.
 */
export function rootFieldFault(document: DocumentNode): GraphQLError | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation !== OperationTypeNode.SUBSCRIPTION) continue;
    const [condition] = conditionsIn(node.selectionSet, new Map(fragments));
    if (condition === undefined) continue;
    return new GraphQLError(`The root field of a subscription can't be left out by @${condition.name.value}.`, {
      nodes: condition,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
    });
  }
  return undefined;
}

/** The same for what a client sends as a document; one that can't be parsed is judged elsewhere. */
export function rootFieldFaultIn(text: unknown): GraphQLError | undefined {
  if (typeof text !== 'string' || !text.includes('subscription') || !text.includes('@')) return undefined;
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: LIMITS.tokens });
  } catch {
    return undefined;
  }
  return rootFieldFault(document);
}

/** Takes each fragment out of the map when it meets it: they may still go in circles. */
function conditionsIn(
  { selections }: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
): readonly DirectiveNode[] {
  return selections.flatMap((selection) => {
    const own = (selection.directives ?? []).filter(({ name }) => name.value === 'skip' || name.value === 'include');
    if (own.length > 0 || selection.kind === Kind.FIELD) return own;
    if (selection.kind === Kind.INLINE_FRAGMENT) return conditionsIn(selection.selectionSet, fragments);
    const fragment = fragments.get(selection.name.value);
    fragments.delete(selection.name.value);
    return fragment === undefined ? [] : conditionsIn(fragment.selectionSet, fragments);
  });
}
