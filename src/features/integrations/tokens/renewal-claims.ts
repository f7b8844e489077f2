import { AppError } from '../../../platform/errors.js';
import { type Queryable } from '../../../platform/db/database.js';
import { type Integration } from '../integration.entity.js';
import { IS_DUE } from './due-renewals.js';

/** How long a claim to renew is valid: longer than the request may take. It also ends the claim of a dead process. */
export const CLAIM_MS = 15_000;

/** The row that a claim refers to. */
export type Claimed = Pick<Integration, 'uuid' | 'accountId' | 'type' | 'parameters' | 'externalId'> & {
  credentials: string;
};

/** The exclusive right to renew, for `CLAIM_MS`. */
export interface Claim {
  id: string;
  /** Another process had the claim and did not end it: it may still be working. */
  tookOver: boolean;
  row: Claimed;
}

/** The state that a claim expects: it differs if another process has renewed, or failed to, in between. */
export type Seen = Pick<Claimed, 'uuid' | 'credentials'> & { renewalFailures: number };

/**
 * Whether the application has refused, or not yet accepted, these tokens: `now` for less than a minute, `before` for
 * longer.
 */
export type Unauthorized = 'no' | 'now' | 'before';

/** The current state of an integration's token. */
export type Current = Claimed &
  Seen & {
    reference: string | null;
    accessExpiresAt: Date | null;
    renewAt: Date | null;
    /** Some process has the claim. */
    isBeingRenewed: boolean;
    unauthorized: Unauthorized;
  };

/** The current tokens of an integration. @throws AppError `not_connected`. */
export async function readTokens(on: Queryable, uuid: string): Promise<Current> {
  const [row] = await on.query<Current & { status: string }>(
    `SELECT id AS uuid, account_id AS "accountId", type, reference, parameters, external_id AS "externalId", credentials, status,
       access_expires_at AS "accessExpiresAt", renew_at AS "renewAt", renewal_failures AS "renewalFailures",
       coalesce(renewal_until > clock_now(), false) AS "isBeingRenewed",
       CASE WHEN unauthorized_since > clock_now() - interval '1 minute' THEN 'now'
            WHEN unauthorized_since IS NOT NULL THEN 'before' ELSE 'no' END AS unauthorized
     FROM integrations WHERE id = $1 AND deleted_at IS NULL AND auth = 'oauth2' AND credentials IS NOT NULL`,
    [uuid],
  );
  if (row?.status !== 'connected') throw new AppError('not_connected', 'The integration is not connected.');
  return row;
}

// A locked row must not delay the others that are due. A call that waits for the tokens looks again.
const claimOf = (condition: string): string =>
  `WITH old AS (SELECT id, renewal_id FROM integrations WHERE id = $1 AND ${condition} FOR UPDATE SKIP LOCKED)
   UPDATE integrations i SET renewal_id = $2, renewal_until = clock_now() + ${CLAIM_MS} * interval '1 ms'
   FROM old WHERE i.id = old.id
   RETURNING i.id AS uuid, i.account_id AS "accountId", i.type, i.parameters, i.external_id AS "externalId",
     i.credentials, old.renewal_id IS NOT NULL AS "tookOver"`;
const CLAIM_SEEN = claimOf(`credentials = $3 AND renewal_failures = $4 AND status = 'connected' AND deleted_at IS NULL
  AND (renewal_until IS NULL OR renewal_until <= clock_now())`);
const CLAIM_DUE = claimOf(IS_DUE);

/**
 * Claims the renewal under a new `id`. Undefined if another process has the claim, or has renewed or failed since the
 * row was read, or if the row is locked.
 */
export function claimRenewal(
  on: Queryable,
  id: string,
  { uuid, credentials, renewalFailures }: Seen,
): Promise<Claim | undefined> {
  return claim(on, CLAIM_SEEN, id, [uuid, id, credentials, renewalFailures]);
}

/** As `claimRenewal`, for a token that is still due: one that was renewed, or failed to, since it was found is not. */
export function claimDue(on: Queryable, id: string, uuid: string): Promise<Claim | undefined> {
  return claim(on, CLAIM_DUE, id, [uuid, id]);
}

async function claim(on: Queryable, statement: string, id: string, values: unknown[]): Promise<Claim | undefined> {
  const [row] = await on.query<Claimed & { tookOver: boolean }>(statement, values);
  return row && { id, tookOver: row.tookOver, row };
}

/** Whether the claim `id` is the current one. */
export async function isClaimed(on: Queryable, uuid: string, id: string): Promise<boolean> {
  return (await on.query(`SELECT 1 FROM integrations WHERE id = $1 AND renewal_id = $2`, [uuid, id])).length > 0;
}

/** The stated end of the refresh token; null if there is none. */
export async function refreshEnd(on: Queryable, uuid: string): Promise<Date | null> {
  const [row] = await on.query<{ end: Date | null }>(
    `SELECT refresh_expires_at AS "end" FROM integrations WHERE id = $1`,
    [uuid],
  );
  return row!.end;
}
