import { containing } from '../../platform/db/text-search.js';
import { type IntegrationFilter } from './integration.inputs.js';
import { NOTICE_MS, MIN_NOTICED_LIFE_MS } from './tokens/token-life.js';

/** SQL for a connection without renewal: no refresh token, or one whose last use failed or did not move the expiry. */
export const NOT_RENEWABLE = `i.status = 'connected'
  AND (i.renew_at IS NULL OR i.renewal_failures > 0 OR i.end_is_fixed)`;

/**
 * Connections that live less than a day are left out, because they expire all the time. `$6`: expiry before this time.
 */
const NEEDS_ATTENTION = `i.status = 'expired'
  OR i.status = 'disconnected' AND i.status_reason = 'key_refused'
  OR ${NOT_RENEWABLE} AND i.expires_at <= $6 AND i.expires_at - i.connected_at >= interval '${MIN_NOTICED_LIFE_MS} milliseconds'`;

const WHERE = `i.deleted_at IS NULL AND ($2::text IS NULL OR i.status = $2) AND ($3::text IS NULL OR i.type = $3)
  AND ($4::text IS NULL OR i.reference = $4)
  AND ($5::text IS NULL OR i.name ILIKE $5 OR i.type ILIKE $5 OR i.reference ILIKE $5 OR i.external_name ILIKE $5)
  AND ($6::timestamptz IS NULL OR ${NEEDS_ATTENTION})`;

/** The further condition of a list of `integrations i`, and the values of `$2` to `$6`. */
export function integrationFilter(filter: IntegrationFilter, now: Date) {
  const { status, type, reference, search, needsAttention } = filter;
  const attentionUntil = needsAttention ? new Date(now.getTime() + NOTICE_MS) : null;
  const pattern = search ? containing(search) : null;
  return {
    where: WHERE,
    values: [status ?? null, type ?? null, reference ?? null, pattern, attentionUntil],
  };
}
