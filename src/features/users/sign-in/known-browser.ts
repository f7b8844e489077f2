import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { SealedCookie, type SealedCookieDependencies } from './sealed-cookie.js';

const DAYS = 180;

/**
 * Remembers browsers where a person has signed in (OWASP: device cookies): guesses from elsewhere don't lock the person
 * out there. A browser remembers only the last person.
 */
export class KnownBrowser {
  private readonly cookie: SealedCookie<{ email: string; id: string }>;

  constructor(deps: SealedCookieDependencies) {
    this.cookie = new SealedCookie(deps, 'known', DAYS * 86_400_000);
  }

  /** A `Set-Cookie` header that remembers a person, by the address in lower case. */
  header(email: string): string {
    return this.cookie.header({ email, id: randomUUID() });
  }

  /** The id by which the browser's attempts are counted; undefined if the person has not signed in there. */
  idOf(request: IncomingMessage, email: string): string | undefined {
    const known = this.cookie.read(request);
    return known?.email === email ? known.id : undefined;
  }
}
