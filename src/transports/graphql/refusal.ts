import { type ServerResponse } from 'node:http';
import { type GraphQLFormattedError } from 'graphql';
import { heldRefusal } from '../../platform/http/inbound/held-response.js';
import { toAppError } from '../../platform/errors.js';
import { setErrorHeaders } from '../../platform/http/inbound/json-response.js';
import { sendText } from '../../platform/http/inbound/send-text.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { extensionsOf } from './errors.js';

const RESPONSE_TYPE = 'application/graphql-response+json';

/** Answers a request that was never executed with `{ errors: [...] }` and the HTTP status. Logs internal errors. */
export async function refuse(
  response: ServerResponse,
  thrown: unknown,
  logger: Logger,
  requestId: string,
): Promise<void> {
  const error = toAppError(thrown);
  if (error.code === 'internal_error') {
    logger.error({ request_id: requestId, ...errorFields(error.cause) }, 'graphql request failed');
  }
  await heldRefusal(error, response);
  if (!setErrorHeaders(response, error)) return;
  sendErrors(response, error.status, [{ message: error.message, extensions: { ...extensionsOf(error), requestId } }]);
}

/** Writes errors in the media type that the client accepts, JSON by default (GraphQL over HTTP, 6.4). */
export function sendErrors(response: ServerResponse, status: number, errors: readonly GraphQLFormattedError[]): void {
  const wanted = response.req.headers.accept ?? '';
  const type =
    wanted.includes(RESPONSE_TYPE) && !wanted.startsWith('application/json') ? RESPONSE_TYPE : 'application/json';
  response.statusCode = status;
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.setHeader('cache-control', 'no-store');
  sendText(response, JSON.stringify({ errors }));
}
