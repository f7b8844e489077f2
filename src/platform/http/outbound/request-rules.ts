import { OutboundError } from './outbound-error.js';
import { isOfConnection, refusalOf } from './outbound-request.js';

/** The methods that a user may choose. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** `token` of RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The field values (RFC 9110, 5.5) that Node can send: Latin-1 without control characters other than tab. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Why a header may not be sent, as the end of a sentence; undefined if it may. */
export function headerNameFault(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is not a legal header name';
  const lower = name.toLowerCase();
  return isOfConnection(lower) ? refusalOf(lower) : undefined;
}

/** Why a value of a header can't be sent, as the end of a sentence; undefined if it can. */
export function headerValueFault(value: string): string | undefined {
  return HEADER_VALUE.test(value) ? undefined : 'must be Latin-1 text without line breaks or other control characters';
}

/** The message of an OutboundError that `attempt` throws; undefined if it throws none. */
export function faultOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

/** A body as a text, and the headers of its request, with names in lower case. */
export interface RequestParts {
  body: string | undefined;
  headers: Record<string, string>;
}

/**
 * The parts of a request whose body is any JSON. A text is sent as it is if the headers name a type other than JSON;
 * null is no body. `defaults` are headers that the given ones replace, `toJson` writes the body.
 */
export function requestParts(
  body: unknown,
  given: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, string>> = {},
  toJson: (body: unknown) => string = JSON.stringify,
): RequestParts {
  const hasBody = body !== undefined && body !== null;
  const headers: Record<string, string> = { ...defaults, ...(hasBody && { 'content-type': 'application/json' }) };
  for (const [name, value] of Object.entries(given)) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (!hasBody) return { body: undefined, headers };
  const isText = typeof body === 'string' && !headers['content-type']!.includes('json');
  return { body: isText ? body : toJson(body), headers };
}
