import { type ErrorDetail } from '../../../platform/errors.js';

/** Why a browser can't be sent to an address after a flow: its origin must be one of `origins`. */
export function returnUrlFaults(returnUrl: string | null | undefined, origins: ReadonlySet<string>): ErrorDetail[] {
  if (returnUrl === null || returnUrl === undefined) return [];
  const url = URL.parse(returnUrl);
  // `blob:` addresses have the origin of what they hold.
  const allowed =
    url !== null && /^https?:$/.test(url.protocol) && origins.has(url.origin) && url.username + url.password === '';
  return allowed
    ? []
    : [{ field: 'returnUrl', message: 'must be an address of this service or of an origin in CORS_ORIGINS' }];
}

/** An address with these parameters in its query in the place of any of their names; all else stays as it was written. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !Object.hasOwn(parameters, part.split('=', 1)[0]!));
  url.search = [...others, new URLSearchParams(parameters).toString()].join('&');
  return url.href;
}
