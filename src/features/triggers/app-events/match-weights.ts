const MAX_KNOWN = 10_000;

/**
 * Remembers what it took to find the triggers of a source's last event, so that its next one weighs as much where
 * accounts take turns: one whose events are compared with many triggers then has few of them compared at a time.
 */
export class MatchWeights {
  /** Looks by digest (hex), those learned last at the end. */
  private readonly known = new Map<string, number>();

  /** In bytes, one for each look. */
  weightOf({ digest }: { digest: Buffer }): number {
    return this.known.get(digest.toString('hex')) ?? 0;
  }

  learn({ digest }: { digest: Buffer }, looks: number): void {
    const hex = digest.toString('hex');
    this.known.delete(hex);
    this.known.set(hex, looks);
    if (this.known.size <= MAX_KNOWN) return;
    const [oldest] = this.known.keys();
    this.known.delete(oldest!);
  }
}
