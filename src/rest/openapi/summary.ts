import { type FieldNode, type GraphQLSchema, isObjectType, Kind, getNamedType, TokenKind } from 'graphql';
import { type Operation } from '../documents.js';

/** What an operation is for: the comment that its document begins with, else the description of the field it answers with. */
export function summaryOf(schema: GraphQLSchema, { document, rootField, route }: Operation): string | null | undefined {
  const first = document.loc?.startToken.next;
  if (first?.kind === TokenKind.COMMENT) return first.value.trim();
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const definition = schema.getRootType(operation.operation)!.getFields()[rootField.name.value]!;
  if (route.below === undefined) return definition.description;
  const below = rootField.selectionSet!.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.name.value === route.below,
  )!;
  const type = getNamedType(definition.type);
  return isObjectType(type) ? type.getFields()[below.name.value]!.description : undefined;
}
