import { OutboundError } from './outbound-error.js';

/** Who gave the address: the operator (catalog, APPS_FILE), whose word is taken, or a user, whose is checked. */
export type Trust = 'operator' | 'user';

/** What one call may take. */
export interface OutboundLimits {
  /** Spans name, connection, headers and the whole body. */
  timeoutMs: number;
  /** Of the body, before and after decompression. */
  maxBytes: number;
  trust: Trust;
}

/** One call. The path and query are sent as WHATWG normalises them; the method is GET unless given. */
export interface OutboundRequest extends OutboundLimits {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Takes the first `maxBytes` of a longer answer, as they were sent, instead of failing with `too_large`. */
  cut?: boolean;
  /** Whose call it is: long answers to one account leave space for those to others. */
  account?: string;
  signal?: AbortSignal | undefined;
}

/** Headers that describe the connection or the framing of the body: the client's own, not the caller's. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The caller's headers, names in lower case, with our `User-Agent` where it gives none, and without an invitation to
 * compress, so that the size limit counts what is sent. @throws OutboundError `invalid_request` for a header that is ours.
 */
export function requestHeaders(given: Record<string, string>, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (OURS.has(lower)) throw new OutboundError('invalid_request', `The header ${lower} can't be set.`);
    headers[lower] = value;
  }
  return { ...headers, 'accept-encoding': 'identity' };
}
