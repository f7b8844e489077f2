import { type Transaction } from '../../../platform/db/database.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { type StoredIntegration } from '../integration.store.js';

/** Status and reason of a connection whose credentials the application refuses, by its way. */
export const REFUSED = {
  oauth2: { to: 'expired', reason: 'refresh_refused' },
  api_key: { to: 'disconnected', reason: 'key_refused' },
} as const;

/**
 * Ends a connection whose credentials the application refuses. The caller has locked its row. An API key is deleted;
 * tokens are no longer renewed, and stay until a reconnect replaces them.
 */
export async function endRefused(
  tx: Transaction,
  changes: ChangeRecorder,
  { uuid, auth, status }: StoredIntegration,
  hops: number,
): Promise<void> {
  await tx.query(
    `UPDATE integrations SET credentials = CASE WHEN auth = 'oauth2' THEN credentials END,
       renew_at = NULL, renewal_id = NULL, renewal_until = NULL WHERE id = $1`,
    [uuid],
  );
  await changes.record(tx, uuid, { from: status, ...REFUSED[auth], hops });
}
