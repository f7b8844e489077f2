import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
// @ts-expect-error -- the package has types for what it exports by name only
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import Provider, { type AdapterConstructor, type ClientMetadata, type Configuration } from 'oidc-provider';
import { Browser } from '../browser/browser.js';
import { noteProviderRequest, noteSecret } from '../database/secrets.js';

/** A request to the provider and its outcome. */
export interface Visit {
  path: string;
  /** The posted form. */
  form: URLSearchParams;
  authorization: string | undefined;
  status: number;
}

/** A certified OAuth 2 and OpenID Connect server on loopback; headers of the browser carry the user's decision. */
export class OAuthProvider {
  readonly visits: Visit[] = [];
  private provider: Provider | undefined;
  private handler: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.serve(request, response));
  }

  /** Listens; it responds once its clients are registered. */
  static async start(): Promise<OAuthProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new OAuthProvider(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  /** Registers the clients; their redirect URIs are known once the service has its port. */
  register(clients: readonly ClientMetadata[]): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'one' };
    const provider = new Provider(this.issuer, { ...SETTINGS, clients: [...clients], jwks: { keys: [jwk] } });
    this.provider = provider;
    const answer = provider.callback();
    this.handler = (request, response) =>
      request.url!.startsWith('/interaction/') ? decide(provider, request, response) : answer(request, response);
  }

  /** Ends an access token alone, before its time; revoking it would end the whole grant. */
  async endAccessToken(token: string): Promise<void> {
    const found = await this.provider!.AccessToken.find(token);
    await found!.destroy();
  }

  /** The requests to one endpoint so far. */
  at(path: string): Visit[] {
    return this.visits.filter((visit) => visit.path === path);
  }

  /** A browser that signs in as `user` and then grants or denies. One browser is one session at the provider. */
  browserOf(user: string, decision: 'grant' | 'deny' = 'grant'): Browser {
    return new Browser({ 'x-user': user, 'x-decision': decision });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (isForm) request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { authorization } = request.headers;
    response.once('finish', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      noteProviderRequest(form, authorization);
      noteSecret(form.get('code') ?? '');
      this.visits.push({ path: request.url!.split('?', 1)[0]!, form, authorization, status: response.statusCode });
    });
    await this.handler!(request, response);
  }
}

const SETTINGS: Configuration = {
  // A subclass, so that the library does not warn about its default.
  adapter: class extends (MemoryAdapter as AdapterConstructor) {},
  cookies: { keys: ['loopback'] },
  claims: { openid: ['sub', 'email'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({
      sub,
      name: `Dr. ${sub}`,
      email: `${decodeURIComponent(sub)}@provider.test`,
      email_verified: !sub.startsWith('unverified'),
    }),
  }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => true },
  issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    IdToken: 60,
    RefreshToken: 86_400,
    Interaction: 600,
    Session: 3600,
    Grant: 86_400,
  },
};

async function decide(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (request.headers['x-decision'] === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'The user said no.' };
    return provider.interactionFinished(request, response, refusal);
  }
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: String(request.headers['x-user']) } });
  }
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
    new provider.Grant({ accountId: session!.accountId, clientId: params.client_id as string });
  grant.addOIDCScope(params.scope as string);
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}
