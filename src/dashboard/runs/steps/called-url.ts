/** The URL of an app request; undefined where the base depends on the connection, e.g. `https://{shop}.example`. */
export function calledUrl(base: string | undefined, path: string): string | undefined {
  if (base === undefined || base.includes('{')) return undefined;
  const url = (base.endsWith('/') ? base.slice(0, -1) : base) + path;
  return URL.canParse(url) ? new URL(url).href : undefined;
}
