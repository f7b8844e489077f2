import { currentSpan, traced } from './span.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The name of a method in a span: one that a caller invented becomes `_OTHER`. */
export function methodOf(method: string | undefined): string {
  return METHODS.has(method ?? '') ? method! : '_OTHER';
}

/**
 * Sends a request as a part of the current span, with the header of the trace unless the caller has set one. Names the host, but
 * neither path nor query: both can be secrets.
 */
export function tracedCall<H extends Record<string, string | string[]>, T extends { status: number }>(
  { url, method }: { url: URL; method: string | undefined },
  headers: H,
  send: (headers: H) => Promise<T>,
): Promise<T> {
  if (currentSpan() === undefined) return send(headers);
  const { hostname, port, protocol } = url;
  const name = methodOf(method ?? 'GET');
  const attributes = {
    'http.request.method': name,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.scheme': protocol.slice(0, -1),
  };
  return traced(name, 'client', attributes, async (span) => {
    const { traceparent } = currentSpan()!;
    const answer = await send('traceparent' in headers ? headers : { ...headers, traceparent });
    span?.set({ 'http.response.status_code': answer.status });
    if (answer.status >= 400) span?.fail(String(answer.status));
    return answer;
  });
}
