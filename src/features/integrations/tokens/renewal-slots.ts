/** An account may use as many slots as are free: a single account then gets half of all. */
const SHARE_OF_ACCOUNT = 1;
/**
 * A provider may use four times the free slots. One account alone does not use all that a provider may, so that its
 * other accounts are still renewed when the hosts of one account hang.
 */
const SHARE_OF_PROVIDER = 4;

/**
 * The slots of a process for renewals ahead of time, counted by account and by provider. Some are always left for a
 * newcomer, however long the others take (dynamic thresholds, Choudhury and Hahne 1998).
 */
export class RenewalSlots {
  private readonly accounts = new Map<string, number>();
  private readonly providers = new Map<string, number>();
  private used = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.used;
  }

  /** Takes a slot. @returns the function that frees it; undefined if the account or the provider has its share. */
  take(account: string, provider: string): (() => void) | undefined {
    const fits =
      this.isWithin(this.accounts.get(account), SHARE_OF_ACCOUNT) &&
      this.isWithin(this.providers.get(provider), SHARE_OF_PROVIDER);
    if (!fits) return undefined;
    this.add(account, provider, 1);
    return () => this.add(account, provider, -1);
  }

  /** Whether one more fits. A newcomer takes also the last slot. */
  private isWithin(held: number | undefined, share: number): boolean {
    return held === undefined ? this.free > 0 : held < share * (this.free - 1);
  }

  private add(account: string, provider: string, change: 1 | -1): void {
    this.used += change;
    count(this.accounts, account, change);
    count(this.providers, provider, change);
  }
}

function count(held: Map<string, number>, key: string, change: 1 | -1): void {
  const left = (held.get(key) ?? 0) + change;
  if (left === 0) held.delete(key);
  else held.set(key, left);
}
