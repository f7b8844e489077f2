import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { type ExecutionArgs } from 'graphql';
import { type RequestContext } from '../context.js';
import { LIMITS, limitFault } from './limits.js';

/** What a client sends over any GraphQL transport. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/**
 * A subscription that is ready to run, or why it isn't. Sockets and event streams carry nothing else, under the same
 * limits as HTTP.
 */
export function prepareSubscription(
  schema: GraphQLSchema,
  context: RequestContext,
  { query, operationName, variables }: OperationRequest,
): ExecutionArgs | readonly GraphQLError[] {
  const document = parseBounded(query);
  if (document instanceof GraphQLError) return [document];
  const faults = validate(schema, document);
  if (faults.length > 0) return faults;
  const name = typeof operationName === 'string' ? operationName : undefined;
  const operation = getOperationAST(document, name);
  if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
    return [badRequest('Only subscriptions are served here: send queries and mutations over HTTP.')];
  }
  const variableValues = (variables ?? {}) as Record<string, unknown>;
  const fault = limitFault(schema, document, variableValues);
  return fault ? [fault] : { schema, document, operationName: name, variableValues, contextValue: context };
}

function parseBounded(query: unknown): DocumentNode | GraphQLError {
  if (typeof query !== 'string') return badRequest('`query` must be a text.');
  try {
    return parse(query, { maxTokens: LIMITS.tokens });
  } catch (error) {
    return error as GraphQLError;
  }
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}
