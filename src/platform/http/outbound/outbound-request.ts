import { type Readable } from 'node:stream';
import { OutboundError } from './outbound-error.js';

/**
 * The source of the URL: the operator (catalog, APPS_FILE), which is trusted, or a user, whose addresses are checked.
 */
export type Trust = 'operator' | 'user';

/** The limits of one call. */
export interface OutboundLimits {
  /** Covers name lookup, connection, headers and the whole body. */
  timeoutMs: number;
  /** The limit of the body, before and after decompression. */
  maxBytes: number;
  trust: Trust;
}

/** One call. Path and query are normalised by the WHATWG rules; the method is GET by default. */
export interface OutboundRequest extends OutboundLimits {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * Returns the first `maxBytes` of a longer response instead of failing with `too_large`: as they come, or of its
   * decompressed data.
   */
  cut?: 'raw' | 'decoded';
  /** The account of the call: its responses leave memory and time to other accounts. Calls without one have no rate. */
  account?: string;
  signal?: AbortSignal | undefined;
}

/**
 * A call whose bodies are streams. Path and query are sent as they are written, and so are the headers: their names must
 * be in lower case.
 */
export interface StreamedRequest extends OutboundLimits {
  url: string;
  method: string;
  headers: Record<string, string | string[]>;
  body?: Uint8Array | Readable | undefined;
  account: string;
  signal: AbortSignal;
}

/** Headers of the connection or the framing of the body: the HTTP client sets them, not the caller. */
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

/** Whether the HTTP client sets this header, and no caller: one of the connection or the framing of the body. */
export function isOfConnection(name: string): boolean {
  return OURS.has(name);
}

/** Why no caller sets a header of the connection, whose name is in lower case. */
export function refusalOf(name: string): string {
  return `The header ${name} can't be set.`;
}

/**
 * The caller's headers with names in lower case and a default `User-Agent`. They request no compression, so that the
 * size limit counts the bytes sent. @throws OutboundError `invalid_request` for a header that the HTTP client sets.
 */
export function requestHeaders(given: Record<string, string>, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (OURS.has(lower)) throw new OutboundError('invalid_request', refusalOf(lower));
    headers[lower] = value;
  }
  return { ...headers, 'accept-encoding': 'identity' };
}
