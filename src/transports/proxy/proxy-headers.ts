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
 * Headers of a response that are not the client's: they belong to the connection or set cookies, or an application would
 * govern the whole origin of the service with them.
 */
const NOT_BACK: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
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
  'x-request-id',
]);

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
    if (value === undefined || NOT_BACK.has(name) || ofConnection.has(name)) continue;
    if (name.startsWith('access-control-') || (isOfConnection(name) && name !== 'content-length')) continue;
    if (name === 'vary') response.appendHeader('vary', value);
    else response.setHeader(name, value);
  }
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
