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

/** The first version of an integration: that with which its first flow begins. */
const FIRST_VERSION = 1;

/**
 * The header `Link` (RFC 8288) of a response whose integration has an open flow: it waits for the next change. Else
 * undefined. `isOpen`: whether it has, if the response does not begin the flow itself.
 */
export function monitorLink(baseUrl: string, { monitors }: Route, body: unknown, isOpen = false): string | undefined {
  if (monitors !== true) return undefined;
  const { redirect_url: flow, integration_id, id = integration_id, version = FIRST_VERSION } = body as Dictionary;
  if (typeof flow !== 'string' && !isOpen) return undefined;
  return `<${baseUrl}/v1/integrations/${String(id)}?wait=30&after_version=${String(version)}>; rel="monitor"`;
}
