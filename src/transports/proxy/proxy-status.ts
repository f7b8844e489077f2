import { AppError, type ErrorCode } from '../../platform/errors.js';
import { HeldBackError } from '../../platform/held-back.js';
import { type OutboundError } from '../../platform/http/outbound/outbound-error.js';

/** Why the service answered instead of the application: words of RFC 9209, 2.3. */
export type ProxyError =
  | 'dns_timeout'
  | 'dns_error'
  | 'destination_unavailable'
  | 'destination_ip_prohibited'
  | 'destination_ip_unroutable'
  | 'connection_refused'
  | 'connection_terminated'
  | 'connection_timeout'
  | 'connection_limit_reached'
  | 'tls_protocol_error'
  | 'tls_certificate_error'
  | 'http_request_error'
  | 'http_request_denied'
  | 'http_response_header_section_size'
  | 'http_response_body_size'
  | 'http_response_timeout'
  | 'http_protocol_error'
  | 'proxy_internal_error';

const NAME = 'workflow-gateway';

/** The header for a response of the application; what earlier intermediaries said comes first (RFC 9209, 2). */
export function receivedStatus(status: number, earlier: string | undefined): string {
  const own = `${NAME}; received-status=${status}`;
  return earlier === undefined ? own : `${earlier}, ${own}`;
}

/** The header for a response of the service. */
export function errorStatus(word: ProxyError): string {
  return `${NAME}; error=${word}`;
}

/** The word for a refusal or failure of the service. */
export function proxyErrorOf(error: AppError): ProxyError {
  if (error instanceof ProxyFailure) return error.word;
  if (error instanceof HeldBackError) return 'connection_limit_reached';
  return WORDS[error.code] ?? 'proxy_internal_error';
}

const WORDS: Readonly<Partial<Record<ErrorCode, ProxyError>>> = {
  validation_error: 'http_request_error',
  invalid_json: 'http_request_error',
  method_not_allowed: 'http_request_error',
  unsupported_media_type: 'http_request_error',
  unauthorized: 'http_request_denied',
  forbidden: 'http_request_denied',
  not_found: 'http_request_denied',
  conflict: 'http_request_denied',
  not_connected: 'http_request_denied',
  payload_too_large: 'http_request_denied',
  rate_limited: 'http_request_denied',
  provider_unavailable: 'destination_unavailable',
};

/** By codes of Node and undici. */
const OF_DETAIL: Readonly<Record<string, ProxyError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connection_timeout',
  ETIMEDOUT: 'connection_timeout',
  ETIMEOUT: 'dns_timeout',
  ENOTFOUND: 'dns_error',
  ENODATA: 'dns_error',
  ESERVFAIL: 'dns_error',
  EREFUSED: 'dns_error',
  EAI_AGAIN: 'dns_error',
  EAI_NODATA: 'dns_error',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_terminated',
  EPIPE: 'connection_terminated',
  UND_ERR_SOCKET: 'connection_terminated',
  EHOSTUNREACH: 'destination_ip_unroutable',
  ENETUNREACH: 'destination_ip_unroutable',
  EPROTO: 'tls_protocol_error',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_certificate_error',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_certificate_error',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_certificate_error',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_certificate_error',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_certificate_error',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_certificate_error',
  UND_ERR_HEADERS_OVERFLOW: 'http_response_header_section_size',
  HPE_HEADER_OVERFLOW: 'http_response_header_section_size',
};

/** No response of the application could be passed back. */
class ProxyFailure extends AppError {
  constructor(
    readonly word: ProxyError,
    message: string,
  ) {
    super('provider_unavailable', message, { status: word.endsWith('_timeout') ? 504 : 502 });
  }
}

/** The failure of a call that brought no response. @returns `validation_error` for a request that can't be sent. */
export function failureOf(error: OutboundError): AppError {
  const { reason, message } = error;
  if (reason === 'invalid_request' || reason === 'invalid_url') return new AppError('validation_error', message);
  return new ProxyFailure(wordOf(error), message);
}

/** The failure of a response that is declared too long. */
export function tooLargeAnswer(): AppError {
  return new ProxyFailure('http_response_body_size', 'The response of the application is larger than 25 MB.');
}

/** The word for a call that brought no response. */
function wordOf({ reason, detail = '' }: OutboundError): ProxyError {
  const known = OF_DETAIL[detail];
  if (known !== undefined) return known;
  if (detail.startsWith('HPE_')) return 'http_protocol_error';
  if (detail.startsWith('CERT_')) return 'tls_certificate_error';
  if (detail.startsWith('ERR_SSL_')) return 'tls_protocol_error';
  switch (reason) {
    case 'timeout':
      return 'http_response_timeout';
    case 'blocked':
      return 'destination_ip_prohibited';
    case 'too_large':
      return 'http_response_body_size';
    default:
      return 'destination_unavailable';
  }
}
