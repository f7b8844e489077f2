const MAX_OWNERS = 10_000;

/** The lane of all posts whose account is not known yet. */
const UNKNOWN = '';

/**
 * Remembers which account a token belongs to, which never changes, so that accounts take turns before the database is
 * asked. It says nothing of whether the token is still valid.
 */
export class TokenOwners {
  /** Account ids by digest (hex), the least recently used first. */
  private readonly owners = new Map<string, string>();

  laneOf({ digest }: { digest: Buffer }): string {
    const hex = digest.toString('hex');
    const owner = this.owners.get(hex);
    if (owner === undefined) return UNKNOWN;
    this.owners.delete(hex);
    this.owners.set(hex, owner);
    return owner;
  }

  /** Remembers what was found for digests, by their hex. */
  learn(found: ReadonlyMap<string, { accountId: string }>): void {
    for (const [hex, { accountId }] of found) this.owners.set(hex, accountId);
    for (const oldest of this.owners.keys()) {
      if (this.owners.size <= MAX_OWNERS) break;
      this.owners.delete(oldest);
    }
  }
}
