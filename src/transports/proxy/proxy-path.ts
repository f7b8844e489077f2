/** A URL below `/v1/integrations/{id}/proxy`. */
export interface ProxyPath {
  /** The id of the integration, as it is written. */
  id: string;
  /** The path and query of the application, as they are written; empty for its base URL. */
  rest: string;
}

/** The parts of a request's URL; undefined for a URL of another door. */
export function proxyPathOf(url: string): ProxyPath | undefined {
  const match = /^\/v1\/integrations\/([^/?#]+)\/proxy(?=[/?#]|$)/.exec(url);
  return match === null ? undefined : { id: match[1]!, rest: url.slice(match[0].length) };
}
