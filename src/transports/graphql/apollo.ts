import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { type Logger } from '../../platform/logging/logger.js';
import { ceiling } from './answer-ceiling.js';
import { formatError, logError } from './errors.js';
import { type OperationContext } from './documents/admitted-operations.js';
import { misplacedSubscription } from './subscriptions/subscription-documents.js';

/** GraphQL over HTTP: Apollo Server runs what was judged, and masks errors. Started and stopped by the server. */
export function createApollo(schema: GraphQLSchema, logger: Logger): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    // Documents are remembered where they are judged; a text that is kept by its hash would be judged by nobody.
    documentStore: null,
    persistedQueries: false,
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
      handOver(),
      reporter(logger),
      // After the reporter, which writes errors again.
      ceiling(),
      // GraphiQL is ours; Apollo's page would answer a query whose sender accepts HTML.
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver, and no type of ours has a hint for it.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

/**
 * Hands over the document that was judged for a request, so that Apollo Server neither parses nor validates it again,
 * and runs no other.
 */
function handOver(): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      didResolveSource: async (request) => void Object.assign(request, { document: request.contextValue.document }),
      didResolveOperation: async ({ document, operation, contextValue }) => {
        if (document !== contextValue.document) throw new Error('A document was not judged.');
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw misplacedSubscription();
      },
    }),
  };
}

function reporter(logger: Logger): ApolloServerPlugin<OperationContext> {
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
