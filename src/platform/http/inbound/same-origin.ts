import { type IncomingMessage } from 'node:http';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a request comes from a page of `origin`. Browsers send the origin with every request that changes data and
 * with every WebSocket. A plain GET has at most `Sec-Fetch-Site` (Fetch Metadata), which is `none` for a typed address.
 */
export function isSameOrigin({ method = 'GET', headers }: IncomingMessage, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = headers;
  const isPlain = SAFE.has(method) && headers.upgrade === undefined;
  if (from !== undefined ? from !== origin : !isPlain && site !== 'same-origin') return false;
  return site === undefined || site === 'same-origin' || (isPlain && site === 'none');
}

/**
 * Whether a browser posted a form from a page of another origin. Unlike `isSameOrigin` it lets clients pass that send
 * neither header: those are programs, which have no person's cookies. README posts such forms with curl.
 */
export function isForeignForm({ headers }: IncomingMessage, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = headers;
  return (from !== undefined && from !== origin) || (site !== undefined && site !== 'same-origin' && site !== 'none');
}
