/** Code for one task in one language; it runs unchanged with the key in `$KEY`. */
export interface Snippet {
  /** Language or tool, e.g. `curl`. */
  way: string;
  code: string;
}

/** Data of this service and account for the snippets. */
export interface Place {
  /** The origin of the service, e.g. `https://flows.example`. */
  origin: string;
  /** The newest connection; a placeholder while there is none. */
  integrationId: string;
}

/** The code for one task in each language; the first is shown by default. */
export type Ways = readonly [Snippet, ...Snippet[]];

/** The origin with the scheme of a WebSocket. */
export function socketOrigin({ origin }: Place): string {
  return origin.replace(/^http/, 'ws');
}
