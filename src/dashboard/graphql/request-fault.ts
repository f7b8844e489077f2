import { type CombinedError } from 'urql';

/** A failed request in words for people. */
export interface RequestFault {
  /** The service's own sentence, or a local one when the service could not be reached. */
  message: string;
  /** GraphQL's upper-case code, e.g. `NOT_FOUND`; `NETWORK` without a response. */
  code: string;
  /** Messages by GraphQL field, e.g. `name`; only for a `VALIDATION_ERROR`. */
  fields: Readonly<Record<string, string>>;
  /** The request id to report to the operator, if the service itself failed. */
  requestId: string | undefined;
}

/** The message of an urql error. The service writes messages for people, so they are shown unchanged. */
export function faultOf(error: CombinedError): RequestFault {
  const response = error.response as Response | undefined;
  const [first] = error.graphQLErrors;
  if (first === undefined) {
    const message = navigator.onLine
      ? 'The service could not be reached. Try again in a moment.'
      : 'You are offline. Try again once you are connected.';
    return { message, code: 'NETWORK', fields: {}, requestId: undefined };
  }
  // The service's own message is about headers and keys.
  if (response?.status === 401)
    return { message: 'You are signed out. Sign in again.', code: 'UNAUTHORIZED', fields: {}, requestId: undefined };
  const { code, details } = first.extensions as { code?: unknown; details?: { field: string; message: string }[] };
  const isOurs = code === 'INTERNAL_ERROR';
  return {
    message: first.message,
    code: typeof code === 'string' ? code : 'INTERNAL_ERROR',
    fields: Object.fromEntries((details ?? []).map(({ field, message }) => [field, message])),
    requestId: isOurs ? (response?.headers.get('x-request-id') ?? undefined) : undefined,
  };
}
