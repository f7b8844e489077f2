import { type ErrorDetail } from '../../platform/errors.js';
import { parseUrl } from '../../platform/http/outbound/addresses.js';

/** The errors of a return URL: its origin must be one of `origins`. Empty if there is no URL. */
export function returnUrlFaults(returnUrl: string | null | undefined, origins: ReadonlySet<string>): ErrorDetail[] {
  if (returnUrl === null || returnUrl === undefined) return [];
  const url = parseUrl(returnUrl);
  // The protocol is checked because a `blob:` URL has the origin of the page that created it.
  const allowed =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    origins.has(url.origin) &&
    url.username + url.password === '';
  return allowed
    ? []
    : [{ field: 'returnUrl', message: 'must be an address of this service or of an origin in CORS_ORIGINS' }];
}

/** Sets parameters in the query of a URL, replacing those of the same name. Everything else stays as written. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !Object.hasOwn(parameters, part.split('=', 1)[0]!));
  url.search = [...others, new URLSearchParams(parameters).toString()].join('&');
  return url.href;
}
