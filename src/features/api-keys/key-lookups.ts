import { type Database } from '../../platform/db/database.js';
import { BatchedReads } from '../../platform/db/batched-reads.js';
import { type KeyCaller } from '../../platform/context.js';

/**
 * Concurrent lookup statements of a process. Lookups that arrive while they run are batched into the next statement, a
 * hundred at once. Made-up keys cost their sender nothing: batching keeps them from using up connections, and no valid
 * key is ever refused because of them.
 */
const LANES = 2;

interface Row extends Omit<KeyCaller, 'kind'> {
  digest: Buffer;
  revokedAt: Date | null;
}

/** Finds the caller of a key in the database, in batches. */
export class KeyLookups {
  private readonly reads: BatchedReads<Buffer, KeyCaller>;

  constructor(private readonly db: Database) {
    this.reads = new BatchedReads(db, (digests) => this.holders(digests), LANES);
  }

  /** The caller that holds the key with this SHA-256; undefined for an unknown or revoked key. */
  async callerOf(digest: Buffer): Promise<KeyCaller | undefined> {
    return this.reads.load(digest);
  }

  private async holders(digests: readonly Buffer[]): Promise<(KeyCaller | undefined)[]> {
    const rows = await this.db.query<Row>(
      `SELECT digest, id AS "keyId", account_id AS "accountId", scope, expires_at AS "expiresAt",
              revoked_at AS "revokedAt"
       FROM api_keys WHERE digest = ANY($1)`,
      [digests],
    );
    const byDigest = new Map(rows.map((row) => [row.digest.toString('latin1'), row]));
    return digests.map((digest) => callerOf(byDigest.get(digest.toString('latin1'))));
  }
}

function callerOf(row: Row | undefined): KeyCaller | undefined {
  if (row === undefined || row.revokedAt !== null) return undefined;
  return { kind: 'key', accountId: row.accountId, keyId: row.keyId, scope: row.scope, expiresAt: row.expiresAt };
}
