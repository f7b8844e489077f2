/**
 * - `timeout`, `network`: no whole answer came; asking again may help.
 * - `blocked`: the address lies in a network that users may not reach.
 * - `too_large`: the answer is over the limit.
 * - `invalid_url`, `invalid_request`: nothing was sent; the second is about method and headers.
 * - `invalid_answer`: an answer came, and is not the JSON or compressed data that it should be.
 * - `canceled`: the caller's signal.
 */
export type OutboundReason =
  'timeout' | 'network' | 'blocked' | 'too_large' | 'invalid_url' | 'invalid_request' | 'invalid_answer' | 'canceled';

/**
 * Why a call to the outside gave no answer. The message names the host at most, and there is no `cause`: Node's would
 * carry the address with its query, or be taken for a lost database (both fail with ECONNREFUSED).
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

/** What undici, DNS, TCP or TLS threw, in our words. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' ? code : undefined;
  const reason = (detail !== undefined && REASONS[detail]) || 'network';
  const sentence = SENTENCES[reason]?.(host) ?? `Could not reach ${host}${detail ? ` (${detail})` : ''}.`;
  return new OutboundError(reason, sentence, detail);
}
