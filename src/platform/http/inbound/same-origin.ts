import { type IncomingMessage } from 'node:http';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a request comes from a page of `origin`. Browsers name the origin of all that changes something, and of every
 * WebSocket; a plain GET names at most its site (Fetch Metadata), and one that a person typed says `none`.
 */
export function isSameOrigin({ method = 'GET', headers }: IncomingMessage, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = headers;
  const isPlain = SAFE.has(method) && headers.upgrade === undefined;
  if (from !== undefined ? from !== origin : !isPlain && site !== 'same-origin') return false;
  return site === undefined || site === 'same-origin' || (isPlain && site === 'none');
}
