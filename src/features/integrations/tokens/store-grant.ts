import { type Clock } from '../../../platform/clock.js';
import { type Queryable } from '../../../platform/db/database.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type App, authOf } from '../apps/app.js';
import { type Captured } from '../apps/captures.js';
import { sealCredentials } from './credentials.js';
import { type Grant } from './oauth-client.js';
import { tokenLife } from './token-life.js';

/**
 * An expiry that a renewal moved by less than this counts as the same, in seconds: some providers state the remaining
 * life of a refresh token in whole seconds each time, and the response takes time.
 */
const SAME_END = 15;

/** The integration whose tokens are replaced. */
interface Target {
  accountId: string;
  uuid: string;
}

/** Values of the old connection that stay if the new grant does not replace them. */
export interface Kept {
  refreshToken: string | null;
  refreshExpiresAt: Date | null;
  scopes: string[];
  captured: Captured;
  /** Whether the application refused the old token. */
  wasRefused: boolean;
}

/**
 * Stores new tokens, sealed, with the times derived from their lifetimes, and ends any claim to renew the old ones.
 * Tokens that replace a refused one count as refused until the application accepts them, so that calls at the same
 * time, which may get a 401 with them before the first one has recorded its own, do not renew them again.
 */
export async function storeGrant(
  on: Queryable,
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  target: Target,
  grant: Grant,
  kept: Kept,
): Promise<void> {
  const refreshToken = grant.refreshToken ?? kept.refreshToken;
  const keptEnd = grant.refreshToken === undefined ? kept.refreshExpiresAt : null;
  const life = tokenLife(grant, refreshToken !== null, keptEnd, clock.now(), Math.random());
  await on.query(
    `WITH old AS (
       SELECT id, $9 AND coalesce(abs(extract(epoch FROM expires_at - $6::timestamptz)) < ${SAME_END}, false) AS is_same
       FROM integrations WHERE id = $1)
     UPDATE integrations i SET auth = 'oauth2', credentials = $2, scopes = $3, access_expires_at = $4, refresh_expires_at = $5,
       expires_at = $6, renew_at = $7,
       notice_at = CASE WHEN old.is_same THEN notice_at ELSE $8::timestamptz END, end_is_fixed = old.is_same,
       renewal_failures = 0, renewal_id = NULL, renewal_until = NULL,
       unauthorized_since = CASE WHEN $10 THEN clock_now() END
     FROM old WHERE i.id = old.id`,
    [
      target.uuid,
      sealCredentials(secrets, target, {
        accessToken: grant.accessToken,
        refreshToken,
        captured: { ...kept.captured, ...grant.captured },
      }),
      grant.scopes ?? kept.scopes,
      life.accessExpiresAt,
      life.refreshExpiresAt,
      life.expiresAt,
      life.renewAt,
      life.noticeAt,
      // True for a renewal: only a renewal has an old refresh token.
      kept.refreshToken !== null,
      kept.wasRefused,
    ],
  );
}

/** The `Kept` of a first connection: the requested scopes, used if the provider names none. */
export function nothingKept(app: App): Kept {
  return {
    refreshToken: null,
    refreshExpiresAt: null,
    wasRefused: false,
    captured: {},
    scopes: [...(authOf(app, 'oauth2')?.scopes ?? [])],
  };
}
