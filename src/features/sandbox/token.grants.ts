import { randomToken, sha256 } from '../../platform/encryption/secrets.js';
import { type SandboxContext } from './authorize.router.js';
import { REFRESH_LIFETIME } from './choices.js';
import { OAuthError } from './oauth-error.js';
import { type Grant, type Held } from './sandbox.store.js';

/** A successful response of the token endpoint (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token?: string;
  scope: string;
}

/** Exchanges a code for tokens. A code works once. @throws OAuthError `invalid_grant` for any mismatch. */
export async function exchangeCode(
  context: SandboxContext,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<TokenAnswer> {
  const held = await context.store.take('code', code);
  if (held === undefined) throw invalidGrant('The code is unknown, used or older than a minute.');
  if (held.payload.redirectUri !== redirectUri) throw invalidGrant('redirect_uri is not the one that was authorized.');
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier) || challengeOf(codeVerifier) !== held.payload.codeChallenge) {
    throw invalidGrant('code_verifier does not match the code_challenge.');
  }
  const { accountId, scopes, lifetime, refreshable } = held.payload;
  return issue(context, { family: held.family, payload: { accountId, scopes, lifetime, refreshable } });
}

/**
 * Renews tokens and rotates the refresh token. A used refresh token ends all tokens of its consent. @throws OAuthError
 */
export async function refresh(context: SandboxContext, token: string, scope?: string): Promise<TokenAnswer> {
  const present = await context.store.get('refresh', token);
  const asked = scope?.split(' ').filter((word) => word !== '');
  if (present && asked?.some((word) => !present.payload.scopes.includes(word))) {
    throw new OAuthError(400, 'invalid_scope', 'A renewal can ask for no more than was granted.');
  }
  const held = await context.store.take('refresh', token);
  if (held === undefined) throw invalidGrant('The refresh token is unknown, used, revoked or expired.');
  return issue(context, held, asked);
}

async function issue(context: SandboxContext, held: Held<Grant>, asked?: string[]): Promise<TokenAnswer> {
  const { payload, family } = held;
  const scopes = asked ?? payload.scopes;
  const accessToken = `sbx_at_${randomToken()}`;
  const after = (seconds: number) => new Date(context.clock.now().getTime() + seconds * 1000);
  await context.store.put('access', accessToken, { family, payload: { ...payload, scopes } }, after(payload.lifetime));
  const answer: TokenAnswer = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: payload.lifetime,
    scope: scopes.join(' '),
  };
  if (!payload.refreshable) return answer;
  const refreshToken = `sbx_rt_${randomToken()}`;
  await context.store.put('refresh', refreshToken, held, after(REFRESH_LIFETIME));
  return { ...answer, refresh_token: refreshToken };
}

function challengeOf(codeVerifier: string): string {
  return sha256(codeVerifier).toString('base64url');
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError(400, 'invalid_grant', description);
}
