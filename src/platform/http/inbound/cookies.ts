import { type IncomingMessage } from 'node:http';

/**
 * A cookie of the service. Scripts cannot read it; browsers send it to the whole host, also when another site links to
 * it (`SameSite=Lax`). Over https no subdomain can set it (`__Host-`, RFC 6265bis, 4.1.3.2).
 */
export class Cookie {
  readonly name: string;
  readonly isSecure: boolean;

  /** `baseUrl`: the public URL, which tells whether browsers use https. */
  constructor(baseUrl: string, name: string) {
    this.isSecure = baseUrl.startsWith('https:');
    this.name = this.isSecure ? `__Host-${name}` : name;
  }

  /** The raw value in a request; the first of several with the name. */
  valueIn({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>): string | undefined {
    for (const part of cookie.split(';')) {
      const at = part.indexOf('=');
      if (at >= 0 && part.slice(0, at).trim() === this.name) return part.slice(at + 1).trim();
    }
    return undefined;
  }

  /** The `Set-Cookie` header that keeps a value for this many seconds. */
  keep(value: string, seconds: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}
