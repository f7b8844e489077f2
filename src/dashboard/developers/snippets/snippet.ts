/** Code for one task in one language; it runs unchanged with the key in `$KEY`. */
export interface Snippet {
  /** Language or tool, e.g. `curl`. */
  way: string;
  code: string;
}

/** Data of this service and account for the snippets. */
export interface Place {
  /** Of the service, e.g. `https://flows.example`. */
  origin: string;
  /** The newest connection; a placeholder while there is none. */
  integrationId: string;
}

/** All ways of one task; the first is shown unless another is chosen. */
export type Ways = readonly [Snippet, ...Snippet[]];

/** The origin as a WebSocket has it. */
export function socketOrigin({ origin }: Place): string {
  return origin.replace(/^http/, 'ws');
}
