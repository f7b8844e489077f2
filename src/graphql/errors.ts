import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type AppError, toAppError } from '../errors.js';
import { errorFields, type Logger } from '../logger.js';

/** An error as a GraphQL client sees it: our code in upper case, details, where in the answer it belongs. Never a stack. */
export function formatError(error: GraphQLError): GraphQLFormattedError {
  // Without an original error it is GraphQL's own: syntax, validation, coercion. Those keep their message and code.
  if (error.originalError === undefined || error.originalError instanceof GraphQLError) return protocolError(error);
  const known = toAppError(error.originalError);
  const { locations, path } = error;
  return {
    message: known.message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: extensionsOf(known),
  };
}

/** Logs what is our own fault; a client's mistakes are its own. */
export function logError(logger: Logger, requestId: string, error: GraphQLError): void {
  if (error.originalError === undefined || error.originalError instanceof GraphQLError) return;
  const known = toAppError(error.originalError);
  if (known.code === 'internal_error') {
    logger.error(
      { request_id: requestId, path: error.path?.join('.'), ...errorFields(known.cause) },
      'resolver failed',
    );
  }
}

/** An `AppError` outside a resolver, e.g. before execution, as a GraphQL error with its HTTP status. */
export function toGraphQLError(error: AppError): GraphQLError {
  return new GraphQLError(error.message, {
    extensions: { ...extensionsOf(error), http: { status: error.status } },
  });
}

/** `extensions` of an error: the REST code in upper case, and `details` of a validation error. */
export function extensionsOf({ code, details }: AppError): Record<string, unknown> {
  return { code: code.toUpperCase(), ...(details ? { details } : {}) };
}

function protocolError(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, stacktrace: _stacktrace, ...extensions } = error.extensions;
  const { message, locations, path } = error;
  return {
    message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', ...extensions },
  };
}
