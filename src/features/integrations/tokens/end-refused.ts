import { type Transaction } from '../../../platform/db/database.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { type StoredIntegration } from '../integration.store.js';

/** What a connection comes to whose credentials the application refuses, by what they are. */
export const REFUSED = {
  oauth2: { to: 'expired', reason: 'refresh_refused' },
  api_key: { to: 'disconnected', reason: 'key_refused' },
} as const;

/**
 * Ends a connection whose credentials the application refuses; the caller holds its row. A key is forgotten. Tokens are
 * renewed no more, and stay until a reconnect replaces them.
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
