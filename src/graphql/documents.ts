import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { type RequestContext } from '../context.js';
import { validationError } from '../errors.js';
import { MAX_JSON_LEVELS } from '../scalars.js';
import { toGraphQLError } from './errors.js';
import { KnownDocuments } from './known-documents.js';
import { LIMITS, limitFault } from './limits.js';
import { rootFieldFault } from './root-field.js';

/** What a client sends over any GraphQL transport. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/** Reads what clients subscribe with. Sockets and event streams carry nothing else, under the same limits as HTTP. */
export class SubscriptionDocuments {
  private readonly known = new KnownDocuments();

  constructor(private readonly schema: GraphQLSchema) {}

  /** A subscription that is ready to run, or why it isn't. The same text gives the same document, while it is known. */
  prepare(
    context: RequestContext,
    { query, operationName, variables }: OperationRequest,
  ): ExecutionArgs | readonly GraphQLError[] {
    if (typeof query !== 'string') return [badRequest('`query` must be a text.')];
    if (!isNameOrNone(operationName)) return [badRequest('`operationName` must be a text.')];
    if (!isObjectOrNone(variables)) return [badRequest('`variables` must be an object.')];
    const document = this.known.get(query) ?? this.read(query);
    if (!('kind' in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (!operation)
      return [new GraphQLError(UNKNOWN_OPERATION, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } })];
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) {
      return [badRequest('Only subscriptions are served here: send queries and mutations over HTTP.')];
    }
    const variableValues = variables ?? {};
    // The limits count the variables too, so that a known document is measured again.
    const fault = nestingFault(variableValues) ?? limitFault(this.schema, document, variableValues);
    if (fault !== undefined) return [fault];
    this.known.add(query, document);
    return { schema: this.schema, document, operationName, variableValues, contextValue: context };
  }

  private read(query: string): DocumentNode | readonly GraphQLError[] {
    const document = parseBounded(query);
    if (document instanceof GraphQLError) return [document];
    const fault = rootFieldFault(document);
    if (fault !== undefined) return [fault];
    const faults = validate(this.schema, document);
    return faults.length > 0 ? faults.map((fault) => coded(fault, 'GRAPHQL_VALIDATION_FAILED')) : document;
  }
}

/** The refusal of a subscription where none is served. */
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

function parseBounded(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxTokens: LIMITS.tokens });
  } catch (error) {
    return coded(error as GraphQLError, 'GRAPHQL_PARSE_FAILED');
  }
}

/** Counted like a body, of which the variables are the second level. */
function nestingFault(variables: unknown): GraphQLError | undefined {
  if (!isDeeper(variables, MAX_JSON_LEVELS - 1)) return undefined;
  return toGraphQLError(
    validationError({ field: 'variables', message: `may be nested ${MAX_JSON_LEVELS} levels deep, with the request` }),
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function coded(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes, source, positions, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    originalError,
    extensions: { code, http: { status: 400 }, ...extensions },
  });
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
}
