import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { type LongWork } from '../../platform/admission/long-work.js';
import { currentWork } from '../../platform/admission/work.js';
import { type Logger } from '../../platform/logging/logger.js';
import { ceiling } from './answer-ceiling.js';
import { formatError, leaveOutErrors, logError } from './errors.js';
import { type OperationContext } from './documents/admitted-operations.js';
import { misplacedSubscription } from './subscriptions/subscription-documents.js';

/** GraphQL over HTTP: Apollo Server executes admitted operations and masks errors. The server starts and stops it. */
export function createApollo(
  schema: GraphQLSchema,
  logger: Logger,
  longWork: LongWork,
): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    // `AdmittedOperations` caches documents. Apollo's own store would keep texts by hash without these checks.
    documentStore: null,
    persistedQueries: false,
    // Without a line end, like the long results that `ceiling` writes.
    stringifyResult: (result) => JSON.stringify(result),
    // Apollo's log lines are about its lifecycle; the router logs requests. Below the first line of an error stands the
    // client's document, which must not be logged.
    logger: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message: unknown) => logger.error(String(message).split('\n', 1)[0]),
    },
    formatError: (_formatted, error) =>
      formatError(error instanceof GraphQLError ? error : unforeseen(error), { requestId: currentWork().requestId }),
    plugins: [
      handOver(),
      reporter(logger),
      // After the reporter, which rewrites errors.
      ceiling(longWork),
      // We serve GraphiQL. Apollo's landing page would answer queries whose sender accepts HTML.
      ApolloServerPluginLandingPageDisabled(),
      // This plugin would wrap every resolver, and no type has a cache hint.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

/**
 * Hands over the admitted document, so that Apollo Server neither parses nor validates it again, and executes no
 * other document.
 */
function handOver(): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      didResolveSource: async (request) => void Object.assign(request, { document: request.contextValue.document }),
      didResolveOperation: async ({ document, operation, contextValue }) => {
        if (document !== contextValue.document) throw new Error('A document was not admitted.');
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw misplacedSubscription();
      },
    }),
  };
}

function reporter(logger: Logger): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      // In its error formatter Apollo does not provide the caller.
      willSendResponse: async ({ errors, response: { body }, contextValue }) => {
        if (errors === undefined || body.kind !== 'single' || contextValue.caller.kind !== 'person') return;
        body.singleResult.errors = errors.map((error) => formatError(error, contextValue));
      },
      didEncounterErrors: async ({ errors, contextValue }) => {
        // Apollo formats this array afterwards.
        leaveOutErrors(errors as GraphQLError[]);
        for (const error of errors) logError(logger, contextValue.requestId, error);
      },
    }),
  };
}

/** An error thrown by Apollo itself, masked like a resolver's error. */
function unforeseen(thrown: unknown): GraphQLError {
  return new GraphQLError('', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });
}
