import { type Request } from 'express';
import { ACCOUNTS, KEY_OWNER, SANDBOX_KEY, SCOPES, type SandboxAccount } from './choices.js';
import { OAuthError } from './oauth-error.js';
import { type SandboxStore } from './sandbox.store.js';

type Scope = (typeof SCOPES)[number];

/** The account and the scopes of a Bearer token. */
export interface SandboxCaller {
  account: SandboxAccount;
  scopes: readonly string[];
}

/** As `authenticate`, for a token with that scope. @throws OAuthError 403 without it. */
export async function authorize(store: SandboxStore, request: Request, scope: Scope): Promise<SandboxCaller> {
  const caller = await authenticate(store, request);
  if (caller.scopes.includes(scope)) return caller;
  throw new OAuthError(403, 'insufficient_scope', `The token lacks ${scope}.`, {
    'WWW-Authenticate': `Bearer realm="sandbox", error="insufficient_scope", scope="${scope}"`,
  });
}

/** The account and scopes of the Bearer token. @throws OAuthError 401 with a challenge (RFC 6750, 3). */
export async function authenticate(store: SandboxStore, request: Request): Promise<SandboxCaller> {
  const token = /^Bearer ([\w.~+/-]+=*)$/.exec(request.get('authorization') ?? '')?.[1];
  if (token === undefined) {
    throw new OAuthError(401, 'invalid_request', 'A Bearer token is needed.', {
      'WWW-Authenticate': 'Bearer realm="sandbox"',
    });
  }
  if (token === SANDBOX_KEY && !(await store.isKeyRefused())) return { account: KEY_OWNER, scopes: SCOPES };
  const held = await store.get('access', token);
  const account = ACCOUNTS.find(({ id }) => id === held?.payload.accountId);
  if (held && account) return { account, scopes: held.payload.scopes };
  throw new OAuthError(401, 'invalid_token', 'The token is unknown, revoked or expired.', {
    'WWW-Authenticate': 'Bearer realm="sandbox", error="invalid_token"',
  });
}
