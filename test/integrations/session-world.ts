import { Client } from '../support/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.js';

/** What `POST /connect_sessions` answers. */
export interface MadeSession {
  id: string;
  token: string;
  connect_url: string;
  expires_at: string;
}

/** The origin that browsers may come from and be sent back to. */
export const SHOP = 'https://shop.example';

/** A server whose only applications are the sandbox's, its owner with a key, and browsers that hold a session's token. */
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

  /** A session and the client that holds nothing but its token. */
  async browser(input?: Record<string, unknown>): Promise<{ client: Client; made: MadeSession }> {
    const made = await this.session(input);
    return { client: new Client(this.server.baseUrl, made.token), made };
  }

  /** Starts the flow of a session. @returns what connect answered. */
  async start(client: Client, body: Record<string, unknown> = { type: 'sandbox_oauth' }) {
    const answer = await client.rest('POST', '/integrations/connect', { body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { redirect_url: string; integration_id: string; id: string };
  }

  /** What a person does at the sandbox's consent page, up to our callback. @returns the callback's answer. */
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
