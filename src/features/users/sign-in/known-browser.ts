import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { SealedCookie, type SealedCookieParts } from './sealed-cookie.js';

const DAYS = 180;

/**
 * Remembers the browsers where a person signed in (OWASP: device cookies): guesses from elsewhere do not lock the person
 * out there. One browser remembers the last of its people.
 */
export class KnownBrowser {
  private readonly cookie: SealedCookie<{ email: string; id: string }>;

  constructor(parts: SealedCookieParts) {
    this.cookie = new SealedCookie(parts, 'known', DAYS * 86_400_000);
  }

  /** A `Set-Cookie` header that remembers a person, by the address in lower case. */
  header(email: string): string {
    return this.cookie.header({ email, id: randomUUID() });
  }

  /** What its attempts are counted by; undefined for a browser that does not know the person. */
  idOf(request: IncomingMessage, email: string): string | undefined {
    const known = this.cookie.read(request);
    return known?.email === email ? known.id : undefined;
  }
}
