import { auditing, factsSql, NO_FACTS } from '../audit-log/record-audit.js';
import { type AuditAction } from '../audit-log/audit-action.js';
import { columnsOf } from '../../platform/db/columns.js';
import { ApiKey } from './api-key.entity.js';

/** The maximum of keys of an account that are neither revoked nor expired. */
export const MAX_KEYS = 10_000;

/** The columns of a key under the alias `k`. */
export const COLUMNS = columnsOf(ApiKey, 'k');

const factsOf = (row: string): string => factsSql(`${row}.`, ['label', 'scope'], ['expires_at', 'revoked_at']);
const OF_ROW = { accountId: 'k.account_id', resource: 'k.id', name: 'k.label', after: factsOf('k') } as const;

/** SQL that finds a row when the account `$2` has reached its limit at the time `$7`. */
const LAST_VALID = `SELECT 1 FROM api_keys WHERE account_id = $2 AND revoked_at IS NULL
  AND coalesce(expires_at, 'infinity') > $7 OFFSET ${MAX_KEYS - 1} LIMIT 1`;

/**
 * Inserts a key unless the account has too many. Parameters: uuid, account, label, scope, digest, last four, now, expiry,
 * `auditParameter`.
 */
export const CREATE = `
  WITH k AS (
    INSERT INTO api_keys (id, account_id, label, scope, digest, last_four, created_at, expires_at, own_end)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $8 WHERE NOT EXISTS (${LAST_VALID}) RETURNING *),
  audited AS (${auditing({ ...OF_ROW, action: 'api_key.created', entry: '$9', from: 'k', before: NO_FACTS })})
  SELECT ${COLUMNS} FROM k`;

/** Ends a key that is locked. Parameters: uuid, end, `auditParameter`. */
function ending(action: AuditAction, change: string): string {
  return `
    WITH old AS (SELECT * FROM api_keys WHERE id = $1),
    k AS (UPDATE api_keys SET ${change} WHERE id = $1 RETURNING *),
    audited AS (${auditing({ ...OF_ROW, action, entry: '$3', from: 'k, old', before: factsOf('old') })})
    SELECT ${COLUMNS} FROM k`;
}

export const REVOKE = ending('api_key.revoked', 'revoked_at = $2');
/** Ends a key that another one replaces at once. */
export const REVOKE_ROTATED = ending('api_key.rotated', 'revoked_at = $2');
/** Lets a key that another one replaces expire, at its own expiry at the latest. */
export const EXPIRE_ROTATED = ending('api_key.rotated', 'expires_at = LEAST(expires_at, $2)');
