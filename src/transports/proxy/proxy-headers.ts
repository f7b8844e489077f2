import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AppRequest } from '../../features/integrations/tokens/app-access.js';
import { isOfConnection } from '../../platform/http/outbound/outbound-request.js';
import { type HeaderFields, textOf } from '../../platform/http/outbound/outbound-response.js';

/** Headers of a request for the service alone, or about the way to it. */
const NOT_ON: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'forwarded',
  'http2-settings',
  'proxy-authenticate',
  'proxy-authorization',
  'workflow-hops',
  'x-request-id',
]);

/**
 * Headers of a response that are not the client's: they belong to the connection, set cookies, or are for shared caches,
 * or an application would govern the whole origin of the service with them.
 */
const NOT_BACK: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'edge-control',
  'nel',
  'proxy-authenticate',
  'proxy-status',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'surrogate-control',
  'x-request-id',
]);

/**
 * Commands to a proxy in front of the service: nginx, lighttpd, LiteSpeed, Apache and H2O would send a file or an
 * internal page for the response, and caches would store it.
 */
const TO_FRONT = /^x-(accel|lighttpd|litespeed|reproxy)-|^x-sendfile|cdn-cache-control$/;

/** The headers that go on to the application, each with all its values. */
export function requestHeadersOf(
  { headersDistinct, headers }: IncomingMessage,
  { defaults, credentials }: Pick<AppRequest, 'defaults' | 'credentials'>,
  hops: number,
): Record<string, string | string[]> {
  const ofConnection = namedIn(headers.connection);
  const own = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    isOfConnection(name) || NOT_ON.has(name) || name.startsWith('x-forwarded-') || ofConnection.has(name)
      ? []
      : [[name, values.length === 1 ? values[0]! : values] as const],
  );
  return { ...defaults, ...Object.fromEntries(own), ...credentials, 'workflow-hops': String(hops) };
}

/**
 * Sets the headers of the application's response. Those of the service for pages of other origins stay, and none of the
 * application's takes their place.
 */
export function setResponseHeaders(response: ServerResponse, fields: HeaderFields): void {
  const ofConnection = namedIn(textOf(fields.connection));
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || NOT_BACK.has(name) || TO_FRONT.test(name) || ofConnection.has(name)) continue;
    if (name.startsWith('access-control-') || (isOfConnection(name) && name !== 'content-length')) continue;
    if (name === 'vary') response.appendHeader('vary', value);
    else response.setHeader(name, value);
  }
  response.appendHeader('vary', 'Authorization, Cookie');
  response.setHeader('cache-control', privateOnly(textOf(fields['cache-control']) ?? ''));
}

/** One directive of `Cache-Control`: its name, and perhaps a token or a quoted text. */
const DIRECTIVE = /([^\s,=;"]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?/g;
/** They allow a shared cache to store the response to a request with a key (RFC 9111, 3.5), or only parts of it not. */
const FOR_SHARED: ReadonlySet<string> = new Set(['public', 's-maxage', 'private']);

/**
 * The `Cache-Control` of a response that only the client's own cache may store: the application does not know that the
 * service stands between them, and a cache in front of the service would give the response to callers of other accounts.
 */
function privateOnly(given: string): string {
  const others = [...given.matchAll(DIRECTIVE)].filter(([, name]) => !FOR_SHARED.has(name!.toLowerCase()));
  return ['private', ...others.map(([text]) => text)].join(', ');
}

/**
 * Protects the dashboard, which has the same origin: a document that an application sends to a browser with a session
 * must not act for its person.
 */
export function isolate(response: ServerResponse): void {
  response.appendHeader('content-security-policy', "sandbox; default-src 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
}

function namedIn(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
