import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { Cookie } from '../../../platform/http/inbound/cookies.js';

/** The session cookie in better-auth's format: `token.signature`, HMAC-SHA-256 in base64, percent-encoded. */
export class SessionCookie extends Cookie {
  /** `secrets`: the first one signs new cookies, all of them verify. */
  constructor(
    baseUrl: string,
    private readonly secrets: readonly [string, ...string[]],
  ) {
    super(baseUrl, 'workflow_session');
  }

  /** Whether a request has the cookie, with any value. */
  isIn(request: IncomingMessage): boolean {
    return this.valueIn(request) !== undefined;
  }

  /** The token in the cookie; undefined without a valid signature, which saves a query. */
  tokenIn(request: IncomingMessage): string | undefined {
    const [, token, signature] = /^([A-Za-z0-9]{32})\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(this.valueIn(request))) ?? [];
    if (token === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64');
    return this.secrets.some((secret) => timingSafeEqual(signed(token, secret), given)) ? token : undefined;
  }

  /** `name=value` for a token, signed with the first secret. */
  pair(token: string): string {
    return `${this.name}=${this.signedValue(token)}`;
  }

  /** The `Set-Cookie` header that keeps a token for this many seconds. */
  override keep(token: string, seconds: number): string {
    return super.keep(this.signedValue(token), seconds);
  }

  private signedValue(token: string): string {
    return encodeURIComponent(`${token}.${signed(token, this.secrets[0]).toString('base64')}`);
  }
}

function signed(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest();
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
