import { type Request, type Response } from 'express';
import { FLOW_MS } from './authorization-flow.js';

/** Whether another site posted a form (CSRF). Browsers name the origin with every POST. */
export function isForeign(request: Request, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = request.headers;
  return (from !== undefined && from !== origin) || (site !== undefined && site !== 'same-origin' && site !== 'none');
}

/**
 * The cookie that binds flows to a browser. SameSite=Lax sends it with the provider's redirect; scripts can't read it.
 */
export class BrowserCookie {
  private readonly name: string;
  private readonly secure: boolean;

  constructor(baseUrl: string) {
    this.secure = baseUrl.startsWith('https:');
    this.name = this.secure ? '__Host-connect' : 'connect';
  }

  read(request: Request): string | undefined {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = part.trim().split('=', 2);
      if (name === this.name && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  write(response: Response, value: string): void {
    response.cookie(this.name, value, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.secure,
      path: '/',
      maxAge: FLOW_MS,
    });
  }
}
