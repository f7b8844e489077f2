import { type IncomingMessage } from 'node:http';

/** The raw value of a cookie of a request; the first of several with the name. */
export function cookieIn({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined {
  for (const part of cookie.split(';')) {
    const at = part.indexOf('=');
    if (at >= 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
