import { type Database } from '../../../platform/db/database.js';
import { BatchedReads } from '../../../platform/db/batched-reads.js';

const MAX_OWNERS = 10_000;

/** Lookups of tokens in progress at once: made-up tokens cost their sender nothing and must not take connections. */
const LOOKUPS = 2;

/** The lane of posts whose account is not known yet. */
const UNKNOWN = '';

/**
 * Caches the account of each token, which never changes, so that posts are queued by account before any database
 * lookup. A cached token may be invalid by now.
 */
export class TokenOwners {
  /** Account ids by digest (hex), the least recently used first. */
  private readonly owners = new Map<string, string>();

  /** The account of a token; '' if it is not known. */
  laneOf({ digest }: { digest: Buffer }): string {
    const hex = digest.toString('hex');
    const owner = this.owners.get(hex);
    if (owner === undefined) return UNKNOWN;
    this.owners.delete(hex);
    this.owners.set(hex, owner);
    return owner;
  }

  /** Caches the accounts of digests (hex). */
  learn(found: ReadonlyMap<string, { accountId: string }>): void {
    for (const [hex, { accountId }] of found) this.owners.set(hex, accountId);
    for (const oldest of this.owners.keys()) {
      if (this.owners.size <= MAX_OWNERS) break;
      this.owners.delete(oldest);
    }
  }
}

/** Looks up tokens by their digests, a hundred with a statement; `look` gives what it finds by the digest in hex. */
export function readsOfTokens<S>(
  db: Database,
  look: (digests: readonly Buffer[]) => Promise<Map<string, S>>,
): BatchedReads<Buffer, S> {
  return new BatchedReads<Buffer, S>(
    db,
    async (digests) => {
      const found = await look(digests);
      return digests.map((digest) => found.get(digest.toString('hex')));
    },
    LOOKUPS,
  );
}
