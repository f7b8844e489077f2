const MAX_KNOWN = 10_000;

/**
 * Remembers how many comparisons a source's last event took, as the weight of its next one. A source whose events are
 * compared with many triggers then gets fewer events per group.
 */
export class MatchWeights {
  /** Comparisons by digest (hex), in the order in which they were learned. */
  private readonly known = new Map<string, number>();

  /** The weight in bytes: one for each comparison. */
  weightOf({ digest }: { digest: Buffer }): number {
    return this.known.get(digest.toString('hex')) ?? 0;
  }

  /** Records the comparisons of a source's event. */
  learn({ digest }: { digest: Buffer }, looks: number): void {
    const hex = digest.toString('hex');
    this.known.delete(hex);
    this.known.set(hex, looks);
    if (this.known.size <= MAX_KNOWN) return;
    const [oldest] = this.known.keys();
    this.known.delete(oldest!);
  }
}
