import * as oauth from 'oauth4webapi';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { type Outbound } from '../../../platform/http/outbound/outbound.js';
import { type App, authOf, type OAuth2Auth, type TokenEndpointAuthMethod } from '../apps/app.js';
import { type OAuthClient } from '../apps/app-secrets.js';
import { captureFrom, type Captured } from '../apps/captures.js';
import { type AppRegistry } from '../apps/registry.js';
import { fillAppUrl } from '../apps/urls/fill-url-template.js';
import { boundedScopes, normaliseTokenAnswer } from './token-answer.js';

/** The maximum size of a token endpoint's response: of the tokens and all that comes with them. */
export const MAX_TOKEN_ANSWER_BYTES = 65_536;

/** The response of a token endpoint. Lifetimes are in seconds from now; undefined if the provider states none. */
export interface Grant {
  accessToken: string;
  refreshToken: string | undefined;
  expiresIn: number | undefined;
  refreshExpiresIn: number | undefined;
  /** Granted scopes; undefined if the provider names none. */
  scopes: string[] | undefined;
  /** The app's captures that the response names and the app allows. */
  captured: Captured;
}

/** An OAuth app, with the parameter values for its URLs. */
export interface OAuthApp {
  app: App;
  parameters: Readonly<Record<string, string>>;
}

/** An OAuth app, and the account that connects to it. */
export interface OAuthTarget extends OAuthApp {
  accountId: string;
}

/** Thrown when a provider refuses a grant permanently (`invalid_grant`, RFC 6749, 5.2). Other errors may be retried. */
export class GrantRefusedError extends Error {
  override readonly name = 'GrantRefusedError';
}

/**
 * OAuth 2.0 requests to providers, by oauth4webapi over `Outbound`. The URLs come from the operator and are trusted.
 */
export class OAuthProtocol {
  constructor(
    private readonly outbound: Outbound,
    private readonly apps: AppRegistry,
    private readonly baseUrl: string,
    private readonly longWork: LongWork,
  ) {}

  redirectUri({ type }: App): string {
    return `${this.baseUrl}/oauth/callback/${type}`;
  }

  /** The provider's authorization URL (RFC 6749, 4.1.1; RFC 7636, 4.3). */
  async authorizationUrl({ app, parameters }: OAuthApp, state: string, verifier: string): Promise<string> {
    const auth = oauthOf(app);
    const url = new URL(fillAppUrl(app, auth.authorizationUrl, parameters));
    const query: Record<string, string> = {
      ...auth.authorizationParams,
      response_type: 'code',
      client_id: this.clientOf(app).clientId,
      redirect_uri: this.redirectUri(app),
      state,
    };
    if (auth.scopes.length > 0) query.scope = auth.scopes.join(auth.scopeSeparator);
    if (auth.pkce) {
      query.code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
      query.code_challenge_method = 'S256';
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** The expected value of `iss` in a callback that has one (RFC 9207); undefined if the app names none. */
  issuer({ app, parameters }: OAuthApp): string | undefined {
    const { issuer } = oauthOf(app);
    return issuer === null ? undefined : fillAppUrl(app, issuer, parameters);
  }

  /** Exchanges the code of a callback for tokens (RFC 6749, 4.1.3). @throws Error of any kind: the flow has failed. */
  async exchange(target: OAuthTarget, callback: URLSearchParams, verifier: string, timeoutMs: number): Promise<Grant> {
    const { as, client, authentication, options } = this.setUp(target, timeoutMs);
    const checked = new URLSearchParams({ code: callback.get('code') ?? '' });
    const parameters = oauth.validateAuthResponse(as, client, checked, oauth.expectNoState);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      parameters,
      this.redirectUri(target.app),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked to look dangerous, not to go away
      oauthOf(target.app).pkce ? verifier : oauth.nopkce,
      options,
    );
    return toGrant(target, await oauth.processAuthorizationCodeResponse(as, client, response, RECOGNISED));
  }

  /** Exchanges a refresh token for new tokens (RFC 6749, 6). @throws GrantRefusedError, or another error. */
  async refresh(target: OAuthTarget, refreshToken: string, timeoutMs: number): Promise<Grant> {
    const { as, client, authentication, options } = this.setUp(target, timeoutMs);
    try {
      const response = await oauth.refreshTokenGrantRequest(as, client, authentication, refreshToken, options);
      return toGrant(target, await oauth.processRefreshTokenResponse(as, client, response, RECOGNISED));
    } catch (error) {
      const words = ['invalid_grant', ...oauthOf(target.app).invalidGrantErrors];
      if (error instanceof oauth.ResponseBodyError && error.status < 500 && words.includes(error.error)) {
        throw new GrantRefusedError(error.error);
      }
      throw error;
    }
  }

  /** Revokes a token at the provider (RFC 7009). Does nothing if the app has no revocation endpoint. */
  async revoke(
    target: OAuthTarget,
    token: string,
    hint: 'refresh_token' | 'access_token',
    timeoutMs: number,
  ): Promise<void> {
    if (oauthOf(target.app).revocationUrl === null) return;
    const { as, client, revocationAuthentication: authentication, options } = this.setUp(target, timeoutMs);
    const additionalParameters = { token_type_hint: hint };
    const response = await oauth.revocationRequest(as, client, authentication, token, {
      ...options,
      additionalParameters,
    });
    await oauth.processRevocationResponse(response);
  }

  private setUp({ app, parameters, accountId }: OAuthTarget, timeoutMs: number) {
    const auth = oauthOf(app);
    const { clientId, clientSecret } = this.clientOf(app);
    const endpoint = (template: string | null) =>
      template === null ? undefined : fillAppUrl(app, template, parameters);
    // Normalised like the library's own URL, because the response is recognised by its URL.
    const tokenEndpoint = new URL(fillAppUrl(app, auth.tokenUrl, parameters)).href;
    const revocationEndpoint = endpoint(auth.revocationUrl);
    const as: oauth.AuthorizationServer = {
      issuer: endpoint(auth.issuer) ?? new URL(tokenEndpoint).origin,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
    };
    const send = this.outbound.fetch(timeoutMs, MAX_TOKEN_ANSWER_BYTES, 'operator', accountId);
    const options = {
      // The operator decides whether an address is http or https.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked to look dangerous, not to go away
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: async (url: string, init: object) => {
        const response = await send(url, init);
        if (url !== as.token_endpoint) return response;
        const text = await response.text();
        await this.longWork.piece(accountId, text.length);
        return normaliseTokenAnswer(response, text, auth.captures);
      },
    };
    const authentication = authenticationOf(auth.tokenEndpointAuthMethod, clientSecret);
    const revocationAuthentication = authenticationOf(
      auth.revocationAuthMethod ?? auth.tokenEndpointAuthMethod,
      clientSecret,
    );
    return { as, client: { client_id: clientId }, authentication, revocationAuthentication, options };
  }

  private clientOf(app: App): OAuthClient {
    const client = this.apps.clientOf(app);
    if (client === undefined) throw new Error(`The app ${app.type} has no OAuth client.`);
    return client;
  }
}

/** Token types that some providers use for bearer tokens. */
const RECOGNISED = { recognizedTokenTypes: { bot: () => undefined, user: () => undefined, basic: () => undefined } };

function authenticationOf(method: TokenEndpointAuthMethod, clientSecret: string | undefined): oauth.ClientAuth {
  if (clientSecret === undefined || method === 'none') return oauth.None();
  return method === 'client_secret_post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

function oauthOf(app: App): OAuth2Auth {
  const auth = authOf(app, 'oauth2');
  if (auth === undefined) throw new Error(`The app ${app.type} does not connect by OAuth.`);
  return auth;
}

/** The provider that renews the tokens of a type: types may share a host, and the hosts of one type a provider. */
export function providerOf(app: App | undefined, type: string): string {
  const auth = app && authOf(app, 'oauth2');
  return /^https?:\/\/[^/?]+/.exec(auth?.tokenUrl ?? '')?.[0] ?? type;
}

function toGrant({ app, parameters }: OAuthApp, answer: oauth.TokenEndpointResponse): Grant {
  const refreshExpiry = answer.refresh_token_expires_in ?? answer.refresh_expires_in;
  // The library accepts it, but this service sends only bearer tokens.
  if (answer.token_type === 'dpop') throw new Error('The provider issued a DPoP token, which was not requested.');
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresIn: answer.expires_in,
    refreshExpiresIn: typeof refreshExpiry === 'number' ? refreshExpiry : undefined,
    scopes: boundedScopes(answer.scope),
    captured: captureFrom(app, 'oauth2', answer, parameters),
  };
}
