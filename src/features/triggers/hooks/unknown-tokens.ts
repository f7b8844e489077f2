import { type Clock } from '../../../platform/clock.js';

const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 10_000;

/** Caches for a second which tokens do not exist. Existing tokens are never cached. */
export class UnknownTokens {
  /** The time of the last lookup by digest (hex). */
  private readonly missedAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  has(digest: Buffer): boolean {
    const at = this.missedAt.get(digest.toString('hex'));
    return at !== undefined && this.clock.now().getTime() - at < UNKNOWN_MS;
  }

  add(digest: Buffer): void {
    if (this.missedAt.size >= MAX_UNKNOWN) this.missedAt.clear();
    this.missedAt.set(digest.toString('hex'), this.clock.now().getTime());
  }
}
