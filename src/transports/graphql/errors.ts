import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type Caller, errorFor, type RequestContext } from '../../platform/context.js';
import { AppError, toAppError } from '../../platform/errors.js';
import { placesOf } from './documents/places.js';
import { faultOfVariable, withoutLongValue } from './documents/type-faults.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';

/** The request that gets an error. Without a caller the error has the form for an API key. */
export interface ErrorContext {
  caller?: Caller | undefined;
  requestId?: string | undefined;
}

/**
 * An error in the form that a GraphQL client sees: code in upper case, details, id of the request, path in the response.
 * Never a stack.
 */
export function formatError(error: GraphQLError, { caller, requestId }: ErrorContext): GraphQLFormattedError {
  const thrown = knownOf(error);
  const { message, extensions } = thrown === undefined ? protocolError(error) : masked(errorFor(caller, thrown));
  return { message, ...placeOf(error), extensions: { ...extensions, ...(requestId && { requestId }) } };
}

/** The errors of a response; each takes about 20 us to be formatted and written. */
export const MAX_ERRORS = 1_000;

/** Leaves out the errors of a result beyond `MAX_ERRORS`; one more error says how many. */
export function leaveOutErrors(errors: GraphQLError[]): void {
  const more = errors.length - MAX_ERRORS;
  if (more <= 0) return;
  const message = `The response has ${more} more errors, which are left out.`;
  errors.splice(MAX_ERRORS, more, new GraphQLError(message, { extensions: { code: 'ANSWER_TOO_LARGE' } }));
}

/** Logs internal errors; errors that the client caused are not logged. */
export function logError(logger: Logger, requestId: string, error: GraphQLError): void {
  const known = knownOf(error);
  if (known?.code !== 'internal_error') return;
  logger.error({ request_id: requestId, path: error.path?.join('.'), ...errorFields(known.cause) }, 'resolver failed');
}

/** An `AppError` from outside a resolver, e.g. before execution, as a GraphQL error with its HTTP status. */
export function toGraphQLError(error: AppError): GraphQLError {
  return new GraphQLError(error.message, {
    extensions: { ...extensionsOf(error), http: { status: error.status } },
  });
}

/** `extensions` of an error: the REST code in upper case, and `details` of a validation error. */
export function extensionsOf({ code, details }: AppError): Record<string, unknown> {
  return { code: code.toUpperCase(), ...(details ? { details } : {}) };
}

/** One event of a subscription ready to send, its errors logged and masked. */
export function finishEvent(logger: Logger, context: RequestContext, result: ExecutionResult): object {
  if (result.errors === undefined) return result;
  for (const error of result.errors) logError(logger, context.requestId, error);
  return { ...result, errors: result.errors.map((error) => formatError(error, context)) };
}

/** Turns an error that graphql-js itself throws, or a value that is written, into a result: it ends this subscription, not the whole socket. */
export function inResult(thrown: unknown): ExecutionResult {
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
}

/**
 * The public form of an error that a resolver threw; undefined for GraphQL's own errors about the client's document.
 */
function knownOf({ originalError, path }: GraphQLError): AppError | undefined {
  if (originalError === undefined) return undefined;
  if (!(originalError instanceof GraphQLError)) return toAppError(originalError);
  // Raised during execution without a place in the document: a resolver returned a value that its type can't serialize.
  const isOurs = path !== undefined && originalError.nodes === undefined;
  return isOurs
    ? new AppError('internal_error', 'Something went wrong on our side.', { cause: originalError })
    : undefined;
}

function masked(known: AppError) {
  return { message: known.message, extensions: extensionsOf(known) };
}

/** Keeps message and code. The only errors without a code here are values that don't fit their types. */
function protocolError({ message, extensions: given }: GraphQLError) {
  const {
    http: _http,
    stacktrace: _stacktrace,
    ...extensions
  } = {
    code: 'BAD_USER_INPUT',
    ...(given as { http?: unknown; stacktrace?: unknown }),
  };
  const shown = extensions.code === 'BAD_USER_INPUT' ? withoutLongValue(message) : message;
  const fault = extensions.code === 'BAD_USER_INPUT' ? faultOfVariable(shown) : undefined;
  return { message: shown, extensions: { ...(fault && { details: [fault] }), ...extensions } };
}

function placeOf(error: GraphQLError): Pick<GraphQLFormattedError, 'locations' | 'path'> {
  const { path } = error;
  const locations = placesOf(error);
  return { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
}
