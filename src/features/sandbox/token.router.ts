import { Router, urlencoded, type Request } from 'express';
import { CLIENT_ID } from './choices.js';
import { type SandboxContext } from './authorize.router.js';
import { OAuthError } from './oauth-error.js';
import { exchangeCode, refresh } from './token.grants.js';

/** The token endpoint (RFC 6749, 3.2) and the revocation endpoint (RFC 7009). */
export function tokenRouter(context: SandboxContext): Router {
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });

  router.post('/oauth/token', form, async (request, response) => {
    const parameters = readParameters(request);
    const type = required(parameters, 'grant_type');
    if (type !== 'authorization_code' && type !== 'refresh_token') {
      throw new OAuthError(400, 'unsupported_grant_type', 'Known: authorization_code, refresh_token.');
    }
    const answer =
      type === 'authorization_code'
        ? await exchangeCode(context, {
            code: required(parameters, 'code'),
            codeVerifier: required(parameters, 'code_verifier'),
            redirectUri: required(parameters, 'redirect_uri'),
          })
        : await refresh(context, required(parameters, 'refresh_token'), parameters.get('scope'));
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).json(answer);
  });

  router.post('/oauth/revoke', form, async (request, response) => {
    const token = required(readParameters(request), 'token');
    const refreshToken = await context.store.get('refresh', token);
    if (refreshToken) await context.store.removeFamily(refreshToken.family);
    else await context.store.remove('access', token);
    // An unknown token is no error: it is already invalid, as the client wants (RFC 7009, 2.2).
    response.status(200).set('Cache-Control', 'no-store').end();
  });
  return router;
}

/**
 * The form parameters of a request from the only client. @throws OAuthError for a repeated parameter or another client.
 */
function readParameters(request: Request): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new OAuthError(400, 'invalid_request', `${name} is given more than once.`);
    if (value !== '') parameters.set(name, value);
  }
  if (parameters.get('client_id') !== CLIENT_ID || parameters.has('client_secret') || request.get('authorization')) {
    throw new OAuthError(401, 'invalid_client', `The one client is public: client_id=${CLIENT_ID}, no secret.`, {
      'WWW-Authenticate': 'Basic realm="sandbox"',
    });
  }
  return parameters;
}

function required(parameters: Map<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError(400, 'invalid_request', `${name} is required.`);
  return value;
}
