import {
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type RequestContext } from '../../../platform/context.js';
import { validationError } from '../../../platform/errors.js';
import { isDeeper } from '../../../platform/json/json-depth.js';
import { MAX_JSON_LEVELS } from '../../../platform/graphql/scalars.js';
import { type Variables } from '../documents/amount.js';
import { valuesIn, weightIn } from '../documents/document-facts.js';
import { type Documents, isKnown } from '../documents/documents.js';
import { toGraphQLError } from '../errors.js';
import { type OperationRequest } from '../operation-request.js';
import { type SubscriptionArgs } from './audience.js';

/** A subscription ready to run. */
export interface PreparedSubscription {
  args: SubscriptionArgs;
  /** Its weight in the caller's rate limit. */
  weight: number;
}

/** Prepares the operations of sockets and event streams: subscriptions only, under the same limits as HTTP. */
export class SubscriptionDocuments {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly documents: Documents,
  ) {}

  /** As `Documents.newnessOf`. */
  newnessOf({ query }: OperationRequest): number | undefined {
    return this.documents.newnessOf(query);
  }

  /** A subscription ready to run, or the errors. Equal texts give the same document while it is cached. */
  prepare(
    context: RequestContext,
    { query, operationName, variables }: OperationRequest,
  ): PreparedSubscription | readonly GraphQLError[] {
    if (typeof query !== 'string') return [badRequest('`query` must be a text.')];
    if (!isNameOrNone(operationName)) return [badRequest('`operationName` must be a text.')];
    if (!isObjectOrNone(variables)) return [badRequest('`variables` must be an object.')];
    const variableValues = variables ?? {};
    const nested = nestingFault(variableValues);
    if (nested !== undefined) return [nested];
    const read = this.documents.read(context.accountId, query, variableValues, operationName);
    if (!isKnown(read)) return read;
    const { document, facts } = read;
    const operation = getOperationAST(document, operationName);
    if (!operation)
      return [new GraphQLError(UNKNOWN_OPERATION, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } })];
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) {
      return [badRequest('Only subscriptions are served here: send queries and mutations over HTTP.')];
    }
    const measured = facts.operations.find(({ node }) => node === operation)!;
    const weight = weightIn(measured, variableValues);
    return {
      args: {
        schema: this.schema,
        document,
        operationName,
        variableValues: declaredOf(operation, variableValues),
        contextValue: context,
        cost: { values: valuesIn(measured, variableValues), weight },
      },
      weight,
    };
  }
}

/** The variables that the operation declares; undeclared ones would stay in memory as long as the subscription. */
function declaredOf({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Record<string, unknown> {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** The error for a subscription on a transport that serves none. */
export function misplacedSubscription(): GraphQLError {
  return badRequest(
    'Subscriptions are served over WebSocket at /graphql and as server-sent events at /graphql/stream.',
  );
}

const UNKNOWN_OPERATION = 'The document has no such operation, or several and none was named.';

function isNameOrNone(name: unknown): name is string | null | undefined {
  return typeof name === 'string' || name === null || name === undefined;
}

function isObjectOrNone(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}

/** Counted like a body, in which the variables are the second level. */
function nestingFault(variables: unknown): GraphQLError | undefined {
  if (!isDeeper(variables, MAX_JSON_LEVELS - 1)) return undefined;
  return toGraphQLError(
    validationError({ field: 'variables', message: `may be nested ${MAX_JSON_LEVELS} levels deep, with the request` }),
  );
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
}
