/** How many sockets, and separately how many event streams, one key may have open in this process. */
export const CONNECTIONS_PER_KEY = 1_000;

/** Counts the open connections of each key. */
export class ConnectionCount {
  private readonly counts = new Map<string, number>();

  /** @returns the function that frees the place, or undefined when the key has no place left. */
  take(keyId: string): (() => void) | undefined {
    const count = this.counts.get(keyId) ?? 0;
    if (count >= CONNECTIONS_PER_KEY) return undefined;
    this.counts.set(keyId, count + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const rest = this.counts.get(keyId)! - 1;
      if (rest === 0) this.counts.delete(keyId);
      else this.counts.set(keyId, rest);
    };
  }
}
