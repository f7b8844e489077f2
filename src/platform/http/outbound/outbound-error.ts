/**
 * Why an outbound call failed:
 * - `timeout`, `network`: no complete response arrived; a retry may succeed.
 * - `blocked`: the address lies in a network that users may not reach.
 * - `too_large`: the response is over the limit.
 * - `invalid_url`, `invalid_request`: nothing was sent; the second concerns method and headers.
 * - `invalid_answer`: a response arrived, but it is not the expected JSON or compressed data.
 * - `canceled`: the caller's signal aborted.
 */
export type OutboundReason =
  'timeout' | 'network' | 'blocked' | 'too_large' | 'invalid_url' | 'invalid_request' | 'invalid_answer' | 'canceled';

/**
 * An outbound call without a usable response. The message names at most the host. There is no `cause`: Node's would
 * contain the URL with its query, or be mistaken for a lost database connection (both fail with ECONNREFUSED).
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundReason,
    message: string,
    /** The code of the underlying error, e.g. `ENOTFOUND`. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

const REASONS: Record<string, OutboundReason> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ETIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  HPE_HEADER_OVERFLOW: 'too_large',
  UND_ERR_INVALID_ARG: 'invalid_request',
  UND_ERR_NOT_SUPPORTED: 'invalid_request',
};

const SENTENCES: Partial<Record<OutboundReason, (host: string) => string>> = {
  timeout: (host) => `Could not connect to ${host} in time.`,
  too_large: (host) => `The headers of the answer from ${host} are too large.`,
  invalid_request: (host) => `The method or a header of the request to ${host} is not valid HTTP.`,
};

/** Converts errors of undici, DNS, TCP and TLS. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' ? code : undefined;
  const reason = (detail !== undefined && REASONS[detail]) || 'network';
  const sentence = SENTENCES[reason]?.(host) ?? `Could not reach ${host}${detail ? ` (${detail})` : ''}.`;
  return new OutboundError(reason, sentence, detail);
}
