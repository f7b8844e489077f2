import { ApolloServer, type ApolloServerPlugin, type HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { callerId, type RequestContext } from '../context.js';
import { AppError } from '../errors.js';
import { type Logger } from '../logger.js';
import { type RateLimits } from '../admission/rate-limits.js';
import { accessOf, demand } from './access.js';
import { misplacedSubscription } from './documents.js';
import { formatError, logError, toGraphQLError } from './errors.js';
import { LIMITS, limitFault } from './limits.js';
import { mutationsIn } from './mutations.js';

/** GraphQL over HTTP: Apollo Server with our limits, masking and scopes. Started and stopped by the server. */
export function createApollo(schema: GraphQLSchema, rates: RateLimits, logger: Logger): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    // Its own log lines are about its lifecycle; what matters of a request is logged by the router. Below the first line
    // of an error stands the client's document.
    logger: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message: unknown) => logger.error(String(message).split('\n', 1)[0]),
    },
    formatError: (_formatted, error) => formatError(error instanceof GraphQLError ? error : unforeseen(error)),
    plugins: [
      guard(schema, rates),
      reporter(logger),
      // GraphiQL is ours; Apollo's page would answer a query whose sender accepts HTML.
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver, and no type of ours has a hint for it.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

/**
 * Refuses what is too large, a document that holds a mutation anywhere which its caller may not do, and subscriptions,
 * before anything runs.
 */
function guard(schema: GraphQLSchema, rates: RateLimits): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ document, operation, request, response, contextValue }) => {
        const mutations = mutationsIn(document);
        if (mutations.length > 0) {
          refuseUnlessAllowed(contextValue, mutations);
          countAsWrite(rates, contextValue, response.http.headers);
        }
        const fault = limitFault(schema, document, request.variables);
        if (fault !== undefined) throw fault;
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw misplacedSubscription();
      },
    }),
  };
}

function refuseUnlessAllowed({ caller }: RequestContext, mutations: readonly string[]): void {
  try {
    for (const name of mutations) {
      const access = accessOf(name) ?? 'write';
      // Who may write is told by the field itself that it needs a person.
      demand(caller, access === 'person' ? 'write' : access);
    }
  } catch (error) {
    throw error instanceof AppError ? toGraphQLError(error) : error;
  }
}

/** The request was counted as a read before anybody knew its document. */
function countAsWrite(rates: RateLimits, { caller }: RequestContext, headers: HeaderMap): void {
  rates.giveBack('read', callerId(caller));
  const rate = rates.take('write', callerId(caller));
  for (const [name, value] of Object.entries(rate?.headers ?? {})) headers.set(name, value as string);
  if (rate?.refusal === undefined) return;
  headers.set('retry-after', String(rate.refusal.options.retryAfter));
  throw toGraphQLError(rate.refusal);
}

function reporter(logger: Logger): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      // Where the errors are formatted, Apollo does not tell who asks.
      willSendResponse: async ({ errors, response: { body }, contextValue: { caller } }) => {
        if (errors === undefined || body.kind !== 'single' || caller.kind !== 'person') return;
        body.singleResult.errors = errors.map((error) => formatError(error, caller));
      },
      didEncounterErrors: async ({ errors, contextValue }) => {
        for (const error of errors) logError(logger, contextValue.requestId, error);
      },
    }),
  };
}

/** What Apollo itself threw: masked like a resolver's error. */
function unforeseen(thrown: unknown): GraphQLError {
  return new GraphQLError('', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });
}
