import { type ASTNode, type DocumentNode, type GraphQLError, type SourceLocation, visit } from 'graphql';

const places = new WeakMap<ASTNode, SourceLocation>();
const lengths = new WeakMap<DocumentNode, number>();

/**
 * Keeps the line and column of each node, and the length of the text, and takes `loc` from the document: with that,
 * graphql-js searches all line breaks before a node again for each error, of which a response may have thousands.
 */
export function keepPlaces(document: DocumentNode): DocumentNode {
  lengths.set(document, document.loc!.source.body.length);
  visit(document, {
    enter: (node) => {
      const { startToken } = node.loc!;
      places.set(node, { line: startToken.line, column: startToken.column });
      Reflect.deleteProperty(node, 'loc');
    },
  });
  return document;
}

/**
 * The characters of a document's text. It is in memory as long as the document: V8 keeps its long names and literals as
 * views of the text.
 */
export function textLengthOf(document: DocumentNode): number {
  return lengths.get(document) ?? 0;
}

/** The places in its document that an error is about; undefined if there are none. */
export function placesOf({ locations, nodes = [] }: GraphQLError): readonly SourceLocation[] | undefined {
  if (locations !== undefined) return locations;
  const found = nodes.flatMap((node) => places.get(node) ?? []);
  return found.length === 0 ? undefined : found;
}
