import { CLIENT_ID, SCOPES } from './choices.js';

/** A valid authorization request (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  scopes: string[];
  codeChallenge: string;
}

/**
 * `refused` is shown to the person, because the redirect URI can't be trusted; `erroneous` is sent to the client by
 * redirect (RFC 6749, 4.1.2.1).
 */
export type ReadRequest =
  | { is: 'valid'; request: AuthorizationRequest }
  | { is: 'refused'; detail: string }
  | { is: 'erroneous'; redirectUri: string; state: string | undefined; error: string; description: string };

type Parameters = Readonly<Record<string, unknown>>;

/** Reads an authorization request from a query or form. The only redirect URI is exactly `redirectUri`. */
export function readAuthorizationRequest(parameters: Parameters, redirectUri: string): ReadRequest {
  if (parameters['client_id'] !== CLIENT_ID) {
    return { is: 'refused', detail: `The sandbox knows one client, client_id=${CLIENT_ID}.` };
  }
  if (parameters['redirect_uri'] !== redirectUri) {
    return { is: 'refused', detail: `redirect_uri must be exactly ${redirectUri}` };
  }
  const state = text(parameters, 'state');
  const scopes = scopesOf(parameters);
  const fault = faultOf(parameters, state, scopes);
  if (fault !== undefined) return { is: 'erroneous', redirectUri, state, ...fault };
  const codeChallenge = text(parameters, 'code_challenge')!;
  return { is: 'valid', request: { redirectUri, state: state!, scopes: scopes!, codeChallenge } };
}

/** The query or form parameters of a request, for the hidden fields of the consent page. */
export function parametersOf(request: AuthorizationRequest): Record<string, string> {
  return {
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
  };
}

function faultOf(parameters: Parameters, state: string | undefined, scopes: string[] | undefined) {
  const invalid = (description: string) => ({ error: 'invalid_request', description });
  if (parameters['response_type'] !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code.' };
  }
  if (state === undefined) return invalid('state is required, once.');
  if (parameters['code_challenge_method'] !== 'S256') return invalid('code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(text(parameters, 'code_challenge') ?? '')) {
    return invalid('code_challenge must be the base64url of a SHA-256.');
  }
  if (scopes === undefined) {
    return { error: 'invalid_scope', description: `Known scopes: ${SCOPES.join(' ')}` };
  }
  return undefined;
}

function scopesOf(parameters: Parameters): string[] | undefined {
  const { scope = '' } = parameters;
  if (typeof scope !== 'string') return undefined;
  const asked = scope.split(' ').filter((word) => word !== '');
  const known: readonly string[] = SCOPES;
  return asked.every((word) => known.includes(word)) ? [...new Set(asked.length > 0 ? asked : known)] : undefined;
}

/** A parameter that is given once and isn't empty. A repeated one arrives as an array and counts as missing. */
function text(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
