import { type Request, type Response } from 'express';
import { Cookie } from '../../../platform/http/inbound/cookies.js';
import { FLOW_MS } from './authorization-flow.js';

/** The cookie that binds flows to a browser, which also sends it with the redirect of the provider. */
export class BrowserCookie extends Cookie {
  constructor(baseUrl: string) {
    super(baseUrl, 'connect');
  }

  read(request: Request): string | undefined {
    const value = this.valueIn(request);
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  }

  write(response: Response, value: string): void {
    response.append('set-cookie', this.keep(value, FLOW_MS / 1_000));
  }
}
