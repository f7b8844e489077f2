import { type Channel } from './channel.js';

/** Amounts by name; negative ones were given back. */
export type Amounts = [name: string, amount: number][];

/** What the processes of a machine count together; the primary process passes on each kind. */
export const SPENDING_KINDS = ['rates', 'attempts', 'kept', 'stored'] as const;
export type SpendingKind = (typeof SPENDING_KINDS)[number];

/** How long amounts gather before the other processes learn of them, in milliseconds. */
const REPORT_MS = 5;

/** The buckets that several processes fill and empty together. */
export interface SharedBuckets {
  /** Subtracts what another process has spent. */
  subtract(name: string, amount: number): void;
  /** What is missing in all buckets now, for a process that has just started. */
  missing(): Amounts;
}

/**
 * Reports to the other processes of this machine what is spent here, and subtracts what is spent there. Each process decides
 * alone, without waiting, so for some milliseconds it does not know of what the others admit. What they admit together beyond
 * a bucket is owed: the bucket is below zero, and fills up from there. So the rate is exact, and only a burst can be exceeded.
 */
export class Spending {
  private unsent = new Map<string, number>();

  /** `kind` names the messages: one for each set of buckets. */
  constructor(
    private readonly channel: Channel,
    private readonly kind: string,
  ) {}

  /** Names the buckets of this process. To be called once. */
  share(buckets: SharedBuckets): void {
    this.channel.on(this.kind, (amounts: Amounts) => {
      for (const [name, amount] of amounts) buckets.subtract(name, amount);
    });
    this.channel.on(`missing ${this.kind}`, () => buckets.missing());
  }

  /** Reports an amount within some milliseconds. */
  add(name: string, amount: number): void {
    if (this.unsent.size === 0) setTimeout(() => this.report(), REPORT_MS);
    this.unsent.set(name, (this.unsent.get(name) ?? 0) + amount);
  }

  private report(): void {
    // What was taken as one weight and counted as the same leaves nothing to report.
    const amounts: Amounts = [...this.unsent].filter(([, amount]) => amount !== 0);
    this.unsent = new Map();
    if (amounts.length > 0) void this.channel.tell(this.kind, amounts);
  }
}
