import * as oauth from 'oauth4webapi';

/** The options that let oauth4webapi talk to a server on loopback without TLS. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked to look dangerous, not to go away
export const insecure = { [oauth.allowInsecureRequests]: true };

export const client: oauth.Client = { client_id: 'sandbox' };

/** An open authorization: the values that the client sent, and those that it must remember. */
export interface Flow {
  server: oauth.AuthorizationServer;
  url: URL;
  redirectUri: string;
  state: string;
  verifier: string;
}

/** Begins a flow; `baseUrl` is the issuer's, `at` the service that answers the back channel. */
export async function beginFlow(baseUrl: string, options: { at?: string; scope?: string } = {}): Promise<Flow> {
  const { at = baseUrl, scope = 'contacts.read contacts.write' } = options;
  const server = {
    issuer: `${baseUrl}/sandbox`,
    token_endpoint: `${at}/sandbox/oauth/token`,
    revocation_endpoint: `${at}/sandbox/oauth/revoke`,
    authorization_response_iss_parameter_supported: true,
  };
  const flow = {
    server,
    redirectUri: `${baseUrl}/oauth/callback/sandbox_oauth`,
    state: oauth.generateRandomState(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(`${baseUrl}/sandbox/oauth/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: flow.redirectUri,
    scope,
    state: flow.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { ...flow, url };
}

/**
 * Answers the consent page: loads it, fills in its form with `choices` and posts that, without following the redirect.
 */
export async function answerConsent(
  flow: Flow,
  choices: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const page = await (await fetch(flow.url)).text();
  const form = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
    form.set(name!, value!);
  for (const [name, value] of Object.entries(choices)) form.set(name, value);
  return fetch(new URL(flow.url.pathname, flow.url), { method: 'POST', body: form, headers, redirect: 'manual' });
}

/** Grants access. @returns the callback's parameters, checked by oauth4webapi (state, iss, error). */
export async function grant(flow: Flow, choices: Record<string, string> = {}): Promise<URLSearchParams> {
  const response = await answerConsent(flow, { decision: 'grant', ...choices });
  return oauth.validateAuthResponse(flow.server, client, new URL(response.headers.get('location')!), flow.state);
}

/** Exchanges the code of checked callback parameters. */
export async function exchange(
  flow: Flow,
  callback: URLSearchParams,
  verifier = flow.verifier,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.authorizationCodeGrantRequest(
    flow.server,
    client,
    oauth.None(),
    callback,
    flow.redirectUri,
    verifier,
    insecure,
  );
  return oauth.processAuthorizationCodeResponse(flow.server, client, response);
}

/** The whole flow from consent to tokens. */
export async function connect(flow: Flow, choices: Record<string, string> = {}): Promise<oauth.TokenEndpointResponse> {
  return exchange(flow, await grant(flow, choices));
}

export async function refresh(flow: Flow, token: string, scope?: string): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(flow.server, client, oauth.None(), token, {
    ...insecure,
    ...(scope !== undefined && { additionalParameters: { scope } }),
  });
  return oauth.processRefreshTokenResponse(flow.server, client, response);
}

/** The status of `/sandbox/me` for a token. */
export async function meStatus(baseUrl: string, token: string): Promise<number> {
  return (await fetch(`${baseUrl}/sandbox/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
}
