import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.js';

/** The response of `POST /connect_sessions`. */
export interface MadeSession {
  id: string;
  token: string;
  connect_url: string;
  expires_at: string;
}

/** The origin of browsers, and of the return URLs. */
export const SHOP = 'https://shop.example';

/** A server with the sandbox applications only, its owner with a key, and browsers with the token of a session. */
export class SessionWorld {
  private constructor(
    readonly server: TestServer,
    readonly owner: Client,
  ) {}

  static async open(options: TestServerOptions = {}): Promise<SessionWorld> {
    const server = await startTestServer({ ...options, env: { CORS_ORIGINS: SHOP, ...options.env } });
    return new SessionWorld(server, new Client(server.baseUrl, await server.key()));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async session(input: Record<string, unknown> = { type: 'sandbox_oauth' }, owner = this.owner): Promise<MadeSession> {
    const { status, body } = await owner.rest('POST', '/connect_sessions', { body: input });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body as MadeSession;
  }

  /** Creates a session and a client with its token alone. */
  async browser(input?: Record<string, unknown>): Promise<{ client: Client; made: MadeSession }> {
    const made = await this.session(input);
    return { client: new Client(this.server.baseUrl, made.token), made };
  }

  /** Starts the flow of a session. @returns the response of connect. */
  async start(client: Client, body: Record<string, unknown> = { type: 'sandbox_oauth' }) {
    const answer = await client.rest('POST', '/integrations/connect', { body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { redirect_url: string; integration_id: string; id: string };
  }

  /** Acts as a person at the sandbox's consent page, up to our callback. @returns the callback's response. */
  async decide(redirectUrl: string, decision: 'grant' | 'deny' = 'grant'): Promise<Response> {
    const consent = new URL(redirectUrl);
    const form = new URLSearchParams(consent.search);
    form.set('decision', decision);
    const decided = await fetch(consent.origin + consent.pathname, { method: 'POST', body: form, redirect: 'manual' });
    return fetch(decided.headers.get('location')!, { redirect: 'manual' });
  }

  /** Connects an API-key application with the account's key. @returns the integration's id. */
  async connected(owner = this.owner): Promise<string> {
    const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    return (await owner.rest('POST', '/integrations/connect', { body })).body.id as string;
  }
}
