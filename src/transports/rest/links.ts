import { type Route } from './routes.js';

type Dictionary = Readonly<Record<string, unknown>>;

/** The result of a list's document. */
export interface ListResult {
  meta: { next: string | null };
}

/**
 * The header `Link` (RFC 8288) of a page, with the same query and `after` in place of its page; undefined for the last
 * page. `address`: the absolute URL of the list, without a query.
 */
export function nextLink(address: string, query: URLSearchParams, { meta: { next } }: ListResult): string | undefined {
  if (next === null) return undefined;
  const following = new URLSearchParams(query);
  following.delete('page');
  following.set('after', next);
  return `<${address}?${following.toString()}>; rel="next"`;
}

/**
 * The header `Link` (RFC 8288) of a response whose integration has an open flow: it waits for the next change. Else
 * undefined. `result`: of the document, with the fields that are not part of the body.
 */
export function monitorLink(baseUrl: string, { monitors }: Route, result: unknown): string | undefined {
  if (monitors !== true) return undefined;
  const { redirect_url: flow, flowOpen, integration_id, id = integration_id, version } = result as Dictionary;
  if (typeof flow !== 'string' && flowOpen !== true) return undefined;
  return `<${baseUrl}/v1/integrations/${String(id)}?wait=30&after_version=${String(version)}>; rel="monitor"`;
}
