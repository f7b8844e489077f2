import { setTimeout as sleep } from 'node:timers/promises';

/** How long after work of another account an account is no longer alone, in milliseconds. */
const COMPANY_MS = 1_000;
/** The longest rest, in milliseconds. */
const MAX_REST_MS = 100;

/**
 * Whether a queue has work of several accounts. An account that is alone may keep its workers busy; in company its heavy
 * work rests after each piece.
 */
export class Company {
  private last: string | undefined;
  /** When the work of two accounts last followed each other. */
  private mixedAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes that work of an account has come. */
  note(account: string): void {
    if (this.last !== undefined && account !== this.last) this.mixedAt = this.now();
    this.last = account;
  }

  get isMixed(): boolean {
    return this.now() - this.mixedAt < COMPANY_MS;
  }
}

/** Waits for as long as the work since `began` (by `performance.now()`) took, so that others get half of the time. */
export async function restAsLong(began: number, signal?: AbortSignal): Promise<void> {
  const rest = Math.min(MAX_REST_MS, performance.now() - began);
  await sleep(rest, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}
