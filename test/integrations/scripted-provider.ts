import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { noteProviderRequest, noteSecret } from '../support/database/secrets.js';

/** The response of an endpoint: JSON unless `type` is given. */
export interface Answer {
  status?: number;
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
  /** Closes the connection without a response. */
  isCut?: boolean;
}

/** A POST to the token endpoint. */
export interface TokenRequest {
  form: URLSearchParams;
  authorization: string | undefined;
}

/** A call of the API, at any path below `/api`. */
export interface ApiCall {
  path: string;
  token: string;
  idempotencyKey: string | undefined;
}

type Script = (request: TokenRequest, response: ServerResponse) => Answer | undefined | Promise<Answer | undefined>;

/** Never answers; the connection stays open. */
export const silence: Script = () => new Promise<never>(() => undefined);

/**
 * An application that does what a test tells it: by default a good OAuth server that rotates refresh tokens, and an API
 * that takes keys beginning with `good`. The code says who the user is: `code=alice`.
 */
export class ScriptedProvider {
  readonly tokenRequests: TokenRequest[] = [];
  readonly revocations: TokenRequest[] = [];
  readonly calls: ApiCall[] = [];
  /** The tokens and keys received at `/me` and `/key`. */
  readonly probes: string[] = [];
  /** Replaces the normal token endpoint, until it is undefined again. */
  onToken: Script | undefined;
  onIdentity: (() => Answer | Promise<Answer>) | undefined;
  onVerify: (() => Answer | Promise<Answer>) | undefined;
  onRevoke: (() => Answer | Promise<Answer>) | undefined;
  /** Replaces the API, which accepts the same credentials as `/me` and `/key`. */
  onCall: ((call: ApiCall) => Answer | Promise<Answer>) | undefined;
  /** Additional fields of a normal token response. */
  extra: Record<string, unknown> = { expires_in: 3600 };
  rotates = true;
  private readonly users = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.serve(request, response));
  }

  static async start(): Promise<ScriptedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new ScriptedProvider(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  /** Restores the normal behaviour and forgets all requests. */
  reset(): void {
    this.tokenRequests.length = 0;
    this.revocations.length = this.calls.length = this.probes.length = 0;
    this.onToken = this.onIdentity = this.onVerify = this.onRevoke = this.onCall = undefined;
    this.extra = { expires_in: 3600 };
    this.rotates = true;
  }

  /** The revoked tokens, in order. */
  get revoked(): string[] {
    return this.revocations.map(({ form }) => form.get('token')!);
  }

  /** Whether the provider still accepts a token. */
  knows(token: string): boolean {
    return this.users.has(token);
  }

  /** Refuses the access tokens of a user from now on; refresh tokens keep working. */
  endAccess(user: string): void {
    for (const token of this.users.keys()) if (token.startsWith(`at-${user}-`)) this.users.delete(token);
  }

  /** A normal response to a code or a refresh token. */
  issue(form: URLSearchParams): Answer {
    const refreshToken = form.get('refresh_token');
    const user = refreshToken === null ? form.get('code') : this.users.get(refreshToken);
    if (!user) return { status: 400, body: { error: 'invalid_grant' } };
    if (refreshToken !== null && this.rotates) this.users.delete(refreshToken);
    const body: Record<string, unknown> = { token_type: 'Bearer', access_token: this.mint('at', user), ...this.extra };
    if (refreshToken === null || this.rotates) body.refresh_token = this.mint('rt', user);
    return { body };
  }

  requests(grantType: 'authorization_code' | 'refresh_token'): TokenRequest[] {
    return this.tokenRequests.filter(({ form }) => form.get('grant_type') === grantType);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private mint(kind: string, user: string): string {
    const token = noteSecret(`${kind}-${user}-${randomUUID()}`);
    this.users.set(token, user);
    return token;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { authorization } = request.headers;
    const form = new URLSearchParams(text);
    noteProviderRequest(form, authorization);
    const answer = await this.answer(request, { form, authorization }, response);
    if (answer === undefined) return;
    const { status = 200, body, type = 'application/json', headers, isCut } = answer;
    if (isCut === true) return void response.destroy();
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  }

  private answer(
    { url, headers }: IncomingMessage,
    request: TokenRequest,
    response: ServerResponse,
  ): ReturnType<Script> {
    const path = url!;
    const token = request.authorization?.replace('Bearer ', '') ?? '';
    if (path === '/me' || path === '/key') this.probes.push(token);
    if (path.startsWith('/api')) {
      const call = { path, token, idempotencyKey: headers['idempotency-key'] as string | undefined };
      this.calls.push(call);
      return this.onCall?.(call) ?? { status: token.startsWith('good') || this.users.has(token) ? 200 : 401 };
    }
    switch (path) {
      case '/token':
        this.tokenRequests.push(request);
        return (this.onToken ?? (({ form }) => this.issue(form)))(request, response);
      case '/revoke':
        this.revocations.push(request);
        this.users.delete(request.form.get('token')!);
        return this.onRevoke?.() ?? {};
      case '/me':
        if (this.onIdentity) return this.onIdentity();
        return this.users.has(token) ? { body: { data: { id: this.users.get(token), name: 'N' } } } : { status: 401 };
      case '/key':
        return this.onVerify?.() ?? { status: token.startsWith('good') ? 200 : 401 };
      case '/who':
        return { body: { id: this.users.get(token) ?? token.split('-')[1] } };
      case '/key/me':
        return { body: { account: { id: token.split('-')[1] ?? 42, mail: `${token.split('-')[1]}@app.test` } } };
      default:
        return { status: 404 };
    }
  }
}
