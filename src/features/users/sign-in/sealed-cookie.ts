import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock } from '../../../platform/clock.js';
import { Cookie } from '../../../platform/http/inbound/cookies.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';

/** What sealing cookies needs. */
export interface SealedCookieDependencies {
  secrets: Secrets;
  clock: Clock;
  baseUrl: string;
}

/** JSON in an encrypted cookie with an expiry time: no script or person can read or change it. */
export class SealedCookie<T extends object> {
  private readonly cookie: Cookie;
  private readonly place;

  /** `name` must be unique per use, so that no cookie is accepted for another one. */
  constructor(
    private readonly deps: SealedCookieDependencies,
    name: string,
    private readonly lifeMs: number,
  ) {
    this.cookie = new Cookie(deps.baseUrl, `workflow_${name}`);
    this.place = { accountId: '', table: `${name}_cookie`, id: '' };
  }

  /** The `Set-Cookie` header for a value. */
  header(value: T): string {
    const endsAt = this.deps.clock.now().getTime() + this.lifeMs;
    const sealed = this.deps.secrets.seal(JSON.stringify({ value, endsAt }), this.place);
    return this.cookie.keep(sealed, this.lifeMs / 1_000);
  }

  set(response: ServerResponse, value: T): void {
    response.appendHeader('set-cookie', this.header(value));
  }

  clear(response: ServerResponse): void {
    response.appendHeader('set-cookie', this.cookie.keep('', 0));
  }

  /** The value; undefined without the cookie, after its expiry, and if this service did not seal it. */
  read(request: IncomingMessage): T | undefined {
    const sealed = this.cookie.valueIn(request);
    if (sealed === undefined) return undefined;
    try {
      const text = this.deps.secrets.open(sealed, this.place);
      const { value, endsAt } = JSON.parse(text) as { value: T; endsAt: number };
      return endsAt > this.deps.clock.now().getTime() ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
