import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { unstorablePath } from '../../platform/validation.js';

/** The request that fired a run through an inbound hook, as two JSON texts. */
export interface RequestTexts {
  /** An object of texts, with names in lower case. */
  headers: string;
  /** An object of texts, or of lists of texts where a name is repeated. */
  query: string;
}

/** The size of both texts, about; 0 without them. */
export function requestBytes(request: Partial<RequestTexts> | null | undefined): number {
  return (request?.headers?.length ?? 0) + (request?.query?.length ?? 0);
}

/** The maximum number of headers of a run. */
const MAX_HEADERS = 64;
/** The maximum bytes of all names and values of headers of a run. */
const MAX_HEADER_BYTES = 16_384;
/** The maximum bytes of each of the two JSON texts: Node limits the head of a request to 16 kB, and JSON escapes it. */
export const MAX_REQUEST_TEXT_BYTES = 65_536;

/** The headers within the limits, in their order; a header that exceeds the limit of bytes is left out. */
export function withinLimits(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of headers) {
    if (kept.length === MAX_HEADERS) break;
    const size = Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes + size > MAX_HEADER_BYTES) continue;
    bytes += size;
    kept.push([name, value]);
  }
  // fromEntries defines own properties, even one named `__proto__`.
  return Object.fromEntries(kept);
}

/** The headers and query that a client gives a test run; null means not given. */
export interface GivenRequest {
  headers?: unknown;
  query?: unknown;
}

/**
 * The texts of a given request; undefined without one. Names of headers become lower case. @throws AppError
 * `validation_error` naming every field.
 */
export function validateGivenRequest({ headers, query }: GivenRequest): RequestTexts | undefined {
  if (headers == null && query == null) return undefined;
  const faults = [
    ...faultsOf('triggerHeaders', headers ?? {}, headersFault),
    ...faultsOf('triggerQuery', query ?? {}, queryFault),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw validationError(first, ...others);
  const lower = Object.entries((headers ?? {}) as Record<string, string>).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return { headers: JSON.stringify(withinLimits(lower)), query: JSON.stringify(query ?? {}) };
}

function faultsOf(field: string, value: unknown, fault: (value: object) => string | undefined): ErrorDetail[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field, message: 'must be an object' }];
  }
  const message =
    fault(value) ??
    (unstorablePath(value, field) === undefined ? undefined : 'must not contain the NUL character or lone surrogates');
  return message === undefined ? [] : [{ field, message }];
}

function headersFault(headers: object): string | undefined {
  const entries = Object.entries(headers as Record<string, string>);
  if (!entries.every(([, value]) => typeof value === 'string')) return 'must have texts as values';
  if (entries.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} names`;
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  return bytes > MAX_HEADER_BYTES ? `must have at most ${MAX_HEADER_BYTES.toLocaleString('en')} bytes` : undefined;
}

function queryFault(query: object): string | undefined {
  const texts = Object.values(query).flat() as unknown[];
  if (!texts.every((value) => typeof value === 'string')) return 'must have texts or lists of texts as values';
  const isLong = Buffer.byteLength(JSON.stringify(query)) > MAX_REQUEST_TEXT_BYTES;
  return isLong ? `must have at most ${MAX_REQUEST_TEXT_BYTES.toLocaleString('en')} bytes of JSON` : undefined;
}
