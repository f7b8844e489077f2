import { type Clock } from '../clock.js';
import { type Queryable } from '../db/database.js';
import { type Secrets } from '../secrets.js';
import { type App } from './apps/app.js';
import { sealCredentials } from './credentials.js';
import { type Grant } from './oauth-client.js';
import { tokenLife } from './token-life.js';

/** Providers state an end in whole seconds from now: one that moved by less than this, in seconds, is the same end. */
const SAME_END = 60;

/** The integration whose tokens are replaced. */
interface Target {
  accountId: string;
  uuid: string;
}

/** What of the connection before stays when a renewal doesn't bring it anew. */
export interface Kept {
  refreshToken: string | null;
  refreshExpiresAt: Date | null;
  scopes: string[];
}

/** Writes new tokens, sealed, with all that follows from their lives, and ends a claim to renew the old ones. */
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
    `UPDATE integrations SET credentials = $2, scopes = $3, access_expires_at = $4, refresh_expires_at = $5,
       expires_at = $6, renew_at = $7,
       notice_at = CASE WHEN abs(extract(epoch FROM expires_at - $6::timestamptz)) < ${SAME_END}
         THEN notice_at ELSE $8::timestamptz END,
       renewal_failures = 0, renewal_id = NULL, renewal_until = NULL
     WHERE id = $1`,
    [
      target.uuid,
      sealCredentials(secrets, target, { accessToken: grant.accessToken, refreshToken }),
      grant.scopes ?? kept.scopes,
      life.accessExpiresAt,
      life.refreshExpiresAt,
      life.expiresAt,
      life.renewAt,
      life.noticeAt,
    ],
  );
}

/** What a first connection keeps: the scopes that were asked for, where the provider names none. */
export function nothingKept({ auth }: App): Kept {
  return { refreshToken: null, refreshExpiresAt: null, scopes: auth.kind === 'oauth2' ? [...auth.scopes] : [] };
}
