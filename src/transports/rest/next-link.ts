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
