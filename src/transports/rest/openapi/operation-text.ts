import { type GraphQLSchema, type OperationDefinitionNode, TokenKind } from 'graphql';
import { type Operation } from '../documents.js';
import { type Rephrase } from './words.js';

/** The reference's text about an operation: one line for a list, and the sentences below it. */
export interface OperationText {
  summary: string;
  description: string;
}

/**
 * The first sentence, and those after it, of the comment at the top of a document, else of its root field's
 * description.
 * @throws Error when there are fewer than two sentences: a summary alone is not a description.
 */
export function operationText(schema: GraphQLSchema, operation: Operation, rephrase: Rephrase): OperationText {
  const text = rephrase(commentOf(operation) ?? descriptionOf(schema, operation));
  const [, summary, description] = /^(.+?)\.\s+(\S.*)$/s.exec(text ?? '') ?? [];
  if (summary === undefined || description === undefined) {
    throw new Error(`${operation.route.operation} needs a summary and a description: two sentences or more.`);
  }
  return { summary, description };
}

function commentOf({ document }: Operation): string | undefined {
  const first = document.loc?.startToken.next;
  return first?.kind === TokenKind.COMMENT ? first.value.trim() : undefined;
}

function descriptionOf(schema: GraphQLSchema, { document, rootField }: Operation): string | null | undefined {
  const { operation } = document.definitions[0] as OperationDefinitionNode;
  return schema.getRootType(operation)!.getFields()[rootField.name.value]!.description;
}
