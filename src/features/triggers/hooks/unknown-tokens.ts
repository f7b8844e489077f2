import { type Clock } from '../../../platform/clock.js';

const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 10_000;

/** Remembers for a second which tokens were looked for in vain. What was found is never remembered. */
export class UnknownTokens {
  /** When digests (hex) were last looked for. */
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
