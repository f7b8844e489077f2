import { type ASTNode, type DocumentNode, type GraphQLError, type SourceLocation, visit } from 'graphql';

const places = new WeakMap<ASTNode, SourceLocation>();

/**
 * Keeps the line and column of each node, and takes `loc` from it: with that, graphql-js searches all line breaks before
 * a node again for each error, of which a response may have thousands.
 */
export function keepPlaces(document: DocumentNode): DocumentNode {
  visit(document, {
    enter: (node) => {
      const { startToken } = node.loc!;
      places.set(node, { line: startToken.line, column: startToken.column });
      Reflect.deleteProperty(node, 'loc');
    },
  });
  return document;
}

/** The places in its document that an error is about; undefined if there are none. */
export function placesOf({ locations, nodes = [] }: GraphQLError): readonly SourceLocation[] | undefined {
  if (locations !== undefined) return locations;
  const found = nodes.flatMap((node) => places.get(node) ?? []);
  return found.length === 0 ? undefined : found;
}
