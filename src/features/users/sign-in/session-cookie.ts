import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { cookieIn } from '../../../platform/http/inbound/cookies.js';

/** The session cookie in better-auth's format: `token.signature`, HMAC-SHA-256 in base64, percent-encoded. */
export class SessionCookie {
  /** `__Host-` over https: no subdomain can set it (RFC 6265bis, 4.1.3.2). */
  readonly name: string;
  readonly isSecure: boolean;

  /** `secrets`: the first one signs new cookies, all of them verify. */
  constructor(
    baseUrl: string,
    private readonly secrets: readonly [string, ...string[]],
  ) {
    this.isSecure = baseUrl.startsWith('https:');
    this.name = this.isSecure ? '__Host-workflow_session' : 'workflow_session';
  }

  /** Whether a request has the cookie, with any value. */
  isIn(request: IncomingMessage): boolean {
    return this.valueIn(request) !== undefined;
  }

  /** The token in the cookie; undefined without a valid signature, which saves a query. */
  tokenIn(request: IncomingMessage): string | undefined {
    const [, token, signature] = /^([A-Za-z0-9]{32})\.([A-Za-z0-9+/]{43}=)$/.exec(this.valueIn(request) ?? '') ?? [];
    if (token === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64');
    return this.secrets.some((secret) => timingSafeEqual(signed(token, secret), given)) ? token : undefined;
  }

  /** `name=value` for a token, signed with the first secret. */
  pair(token: string): string {
    const signature = signed(token, this.secrets[0]).toString('base64');
    return `${this.name}=${encodeURIComponent(`${token}.${signature}`)}`;
  }

  /** The `Set-Cookie` header that keeps a token for this many seconds. */
  keep(token: string, seconds: number): string {
    return `${this.pair(token)}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
  }

  private valueIn(request: IncomingMessage): string | undefined {
    const value = cookieIn(request, this.name);
    return value === undefined ? undefined : decoded(value);
  }
}

function signed(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
