import { type App, authOf } from '../apps/app.js';
import { type Credentials } from './credentials.js';

/** Where a request carries credentials. Names of headers are in lower case. */
export interface PlacedCredentials {
  in: 'header' | 'query';
  name: string;
  value: string;
}

/** The header or parameter of the query that carries credentials, as the app defines. */
export function placed(app: App, credentials: Credentials): PlacedCredentials {
  if ('accessToken' in credentials)
    return { in: 'header', name: 'authorization', value: `Bearer ${credentials.accessToken}` };
  const { placement } = authOf(app, 'api_key')!;
  const value = `${placement.prefix}${credentials.apiKey}`;
  return placement.in === 'header'
    ? { in: 'header', name: placement.name.toLowerCase(), value }
    : { in: 'query', name: placement.name, value };
}

/** A URL with a parameter in its query instead of those of the same name. All else stays as it is written. */
export function withParameter(url: string, name: string, value: string): string {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const others = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== name);
  const own = new URLSearchParams([[name, value]]).toString();
  return `${path}?${[...others, own].join('&')}`;
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? '';
}
