import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The bytes that the calls of an account receive a second in a process: each MiB takes it up to five milliseconds,
 * whatever is in it.
 */
export const RECEIVED_PER_SECOND = 32 * 1_048_576;
/** The time of which an account may receive the bytes at once. */
const BURST_MS = 4_000;
/** Beyond this many accounts those that owe nothing are forgotten. */
const SWEEP_SIZE = 10_000;

/**
 * Bytes a second, for each account of a process. Bytes are counted when they have arrived: an account that received
 * too many waits until the rate has made up for them.
 */
export class ByteRates {
  /** The time by which the rate alone would have brought what each account has received, in milliseconds. */
  private readonly paidAt = new Map<string, number>();

  constructor(
    private readonly bytesPerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts bytes that an account has received. */
  spend(account: string, bytes: number): void {
    const now = this.now();
    if (this.paidAt.size >= SWEEP_SIZE && !this.paidAt.has(account)) this.sweep(now);
    const paid = Math.max(now, this.paidAt.get(account) ?? now);
    this.paidAt.set(account, paid + (1_000 * bytes) / this.bytesPerSecond);
  }

  /** The milliseconds until an account may receive more; 0 if it may now. */
  waitOf(account: string): number {
    return Math.max(0, (this.paidAt.get(account) ?? 0) - this.now() - BURST_MS);
  }

  /** Waits until an account may receive more; undefined if it may now. @throws the signal's reason if it aborts first. */
  turn(account: string, signal: AbortSignal): Promise<void> | undefined {
    return this.waitOf(account) === 0 ? undefined : this.wait(account, signal);
  }

  private async wait(account: string, signal: AbortSignal): Promise<void> {
    for (let ms = this.waitOf(account); ms > 0; ms = this.waitOf(account)) {
      await sleep(Math.ceil(ms), undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    }
  }

  private sweep(now: number): void {
    for (const [account, paid] of this.paidAt) if (paid <= now) this.paidAt.delete(account);
  }
}
