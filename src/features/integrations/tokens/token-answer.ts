import { type AppCapture } from '../apps/app.js';

const ERROR_STATUS = 400;
/** The fields of RFC 6749, 5.1 and 5.2, and the names that providers give to the life of a refresh token. */
const FIELDS = [
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'refresh_token_expires_in',
  'refresh_expires_in',
  'scope',
  'error',
];
/** The scopes of a connection: how many, and their characters, which are ASCII. */
export const MAX_SCOPES = 200;
export const MAX_SCOPE_BYTES = 16_384;
/** scope-token of RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** A hundred years in seconds. Much longer lifetimes can't be stored as a date. */
const MAX_LIFE_SECONDS = 3_155_760_000;

/**
 * Normalises a token endpoint's response to RFC 6749, 5.1 and 5.2. Errors with status 200 (GitHub; Slack with `ok:
 * false`) get status 400, form bodies become JSON, quoted numbers become numbers, and a missing token_type becomes
 * `bearer`. Only the fields that the service uses are left, so that a library that parses them again has little to do.
 */
export function normaliseTokenAnswer(
  response: Response,
  text: string,
  captures: readonly Pick<AppCapture, 'path'>[],
): Response {
  const whole = parse(text, response.headers.get('content-type') ?? '');
  if (whole === undefined) return new Response(text, { status: response.status === 200 ? 502 : response.status });
  const used = [...FIELDS, ...captures.map(({ path }) => path.split('.')[0]!)];
  const body: Record<string, unknown> = Object.fromEntries(
    used.flatMap((field) => (Object.hasOwn(whole, field) ? [[field, whole[field]]] : [])),
  );
  const refused = typeof body.error === 'string';
  if (!refused && typeof body.access_token === 'string') body.token_type ??= 'bearer';
  for (const key of ['expires_in', 'refresh_token_expires_in', 'refresh_expires_in']) {
    const value = body[key];
    if (typeof value === 'string' && /^\d+$/.test(value)) body[key] = Number(value);
    const seconds = body[key];
    if (typeof seconds !== 'number' || !(seconds > 0)) delete body[key];
    else body[key] = Math.min(seconds, MAX_LIFE_SECONDS);
  }
  if (body.refresh_token === null || body.refresh_token === '') delete body.refresh_token;
  if (typeof body.scope !== 'string') delete body.scope;
  const status = refused && response.status < 400 ? ERROR_STATUS : response.status === 201 ? 200 : response.status;
  return Response.json(body, { status });
}

/**
 * Each scope once, as many as fit. The rest is left out: the scopes are only shown, and a refusal of the response would
 * lose a refresh token that the provider has already replaced.
 */
export function boundedScopes(scope: string | undefined): string[] | undefined {
  if (scope === undefined) return undefined;
  const scopes = new Set<string>();
  let bytes = 0;
  for (const each of scope.split(/[\s,]+/)) {
    if (scopes.has(each) || !SCOPE.test(each)) continue;
    bytes += each.length;
    if (scopes.size === MAX_SCOPES || bytes > MAX_SCOPE_BYTES) break;
    scopes.add(each);
  }
  return [...scopes];
}

function parse(text: string, contentType: string): Record<string, unknown> | undefined {
  if (/x-www-form-urlencoded|text\/plain/.test(contentType) && /^[\w.]+=/.test(text)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
