import { type IncomingMessage } from 'node:http';
import { methodOf } from '../../platform/tracing/outbound-call.js';
import { type Span, type Tracing } from '../../platform/tracing/span.js';
import { ROUTES } from '../rest/routes.js';

/** Posts of other services: strangers decide about neither the id nor the sampling of our traces. */
const INBOUND = /^\/(?:hooks|events|callbacks|oauth)\//;
const UNTRACED = /^\/(?:livez|readyz|metrics)(?:$|\?)/;

const REST = new Map([
  ...ROUTES.map(({ operation, path }) => [operation, `/v1${path}`] as const),
  ['ProxyIntegration', '/v1/integrations/{id}/proxy/{path}'],
]);
/** The routes of doors with one. A token in a path is a secret. */
const DOORS: Readonly<Record<string, string>> = {
  graphql: '/graphql',
  sse: '/graphql/stream',
  hook: '/hooks/{token}',
  event: '/events/{token}',
  callback: '/callbacks/{token}',
};

/** Begins the span of a request; undefined without tracing, and for probes. */
export function beginRequest(
  tracing: Tracing | undefined,
  { url = '/', headers, method }: IncomingMessage,
): Span | undefined {
  if (tracing === undefined || UNTRACED.test(url)) return undefined;
  const header = headers.traceparent as string | undefined;
  const continues = tracing.trustsInbound || !INBOUND.test(url);
  return tracing.begin(methodOf(method), 'server', {
    ...(header !== undefined && (continues ? { parent: header } : { link: header })),
    attributes: { 'http.request.method': methodOf(method), 'url.scheme': 'http' },
  });
}

/** Ends it with what the log line says, too. */
export function endRequest(
  span: Span | undefined,
  { method }: IncomingMessage,
  { door, operation }: { door: string; operation: string },
  status: number,
): void {
  if (span === undefined) return;
  const route = (door === 'rest' ? REST.get(operation) : DOORS[door]) ?? (door === 'page' ? operation : `/v1`);
  span.rename(`${methodOf(method)} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500 || status === 499) span.fail(String(status));
  span.end();
}
