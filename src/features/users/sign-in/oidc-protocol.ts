import * as oauth from 'oauth4webapi';
import { type OidcSettings } from '../../../platform/config/config.js';
import { type Outbound } from '../../../platform/http/outbound/outbound.js';

const TIMEOUT_MS = 10_000;
/** The maximum size of an issuer's response, in bytes. */
const MAX_ANSWER_BYTES = 1_048_576;
/** How long an issuer's discovery document is cached, in milliseconds. */
const DESCRIBED_MS = 600_000;
const SCOPES = 'openid email profile';

/** The secrets of one authorization request: `state`, `nonce` and PKCE's `code_verifier`. */
export interface AuthRequest {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person as the issuer identified them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** As the issuer writes it. */
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
}

/** OpenID Connect with the configured issuer: code flow with PKCE, state, nonce and a verified signature. */
export class OidcProtocol {
  private described: { at: number; as: oauth.AuthorizationServer } | undefined;
  private readonly client: oauth.Client;
  private readonly options;

  constructor(
    private readonly settings: OidcSettings,
    private readonly redirectUri: string,
    outbound: Outbound,
  ) {
    this.client = { client_id: settings.clientId };
    this.options = {
      // The operator chose the issuer, and whether it uses http or https.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked to look dangerous, not to go away
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: outbound.fetch(TIMEOUT_MS, MAX_ANSWER_BYTES, 'operator') as (
        url: string,
        init: object,
      ) => Promise<Response>,
    };
  }

  /** Generates the secrets of a new authorization request. */
  newAuthRequest(): AuthRequest {
    return {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
  }

  /** The URL to send the browser to. @throws if the issuer's discovery document can't be read. */
  async authorizationUrl({ state, nonce, verifier }: AuthRequest): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.describe();
    if (endpoint === undefined) throw new Error('The issuer names no authorization endpoint.');
    const url = new URL(endpoint);
    const query = {
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      scope: SCOPES,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Identifies the person after the callback. @throws AuthorizationResponseError if the issuer or the person refused;
   * other errors of the protocol.
   */
  async identify(callback: URLSearchParams, { state, nonce, verifier }: AuthRequest): Promise<Identity> {
    const as = await this.describe();
    const { client, options } = this;
    const checked = oauth.validateAuthResponse(as, client, callback, state);
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(this.settings.clientSecret)
      : oauth.ClientSecretPost(this.settings.clientSecret);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      checked,
      this.redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens)!;
    // Many issuers return the email address only from the userinfo endpoint.
    const isTold = claims.email !== undefined && claims.email_verified !== undefined;
    const more = isTold ? {} : await this.userInfo(as, tokens.access_token, claims.sub);
    return toIdentity({ ...claims, ...more, iss: claims.iss, sub: claims.sub });
  }

  private async userInfo(as: oauth.AuthorizationServer, token: string, subject: string): Promise<object> {
    if (as.userinfo_endpoint === undefined) return {};
    const response = await oauth.userInfoRequest(as, this.client, token, this.options);
    return oauth.processUserInfoResponse(as, this.client, subject, response);
  }

  private async describe(): Promise<oauth.AuthorizationServer> {
    const now = performance.now();
    if (this.described === undefined || now - this.described.at > DESCRIBED_MS) {
      const issuer = new URL(this.settings.issuer);
      const response = await oauth.discoveryRequest(issuer, { ...this.options, algorithm: 'oidc' });
      this.described = { at: now, as: await oauth.processDiscoveryResponse(issuer, response) };
    }
    return this.described.as;
  }
}

function toIdentity(claims: Partial<Record<string, unknown>>): Identity {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    issuer: text(claims.iss)!,
    subject: text(claims.sub)!,
    email: text(claims.email),
    // Some issuers send a string.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: text(claims.name),
  };
}
