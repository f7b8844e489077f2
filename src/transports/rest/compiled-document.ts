import { createRequire } from 'node:module';
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLSchema,
  OperationTypeNode,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type * as GraphqlJit from 'graphql-jit';
import { type RequestContext } from '../../platform/context.js';

// Its ESM build imports files without their extensions, which Node refuses.
const { compileQuery, isCompiledQuery } = createRequire(import.meta.url)('graphql-jit') as typeof GraphqlJit;

/** Executes the one operation of a document; like `execute`, it puts errors into its result. */
export type Run = (
  context: RequestContext,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * A document compiled to a function: `execute` would interpret the document again for each row of a list.
 * Only for our own documents: no code is ever generated from a client's.
 * @throws Error when it can't be compiled.
 */
export function compileDocument(schema: GraphQLSchema, document: DocumentNode): Run {
  const operation = document.definitions[0] as OperationDefinitionNode;
  // graphql-jit 0.8.9 gives null for `{ name: $name }` where $name is absent, which would clear the name.
  if (operation.operation !== OperationTypeNode.QUERY) {
    return (contextValue, variableValues) => execute({ schema, document, contextValue, variableValues });
  }
  const compiled = compileQuery(schema, document);
  if (!isCompiledQuery(compiled)) throw new Error(compiled.errors?.[0]?.message ?? 'A document was not compiled.');
  const defaults = defaultsOf(operation);
  return (context, variables) => compiled.query(undefined, context, { ...defaults, ...variables });
}

/** Values of absent variables: graphql-jit 0.8.9 refuses to omit one of type `Int! = 1`. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
}
