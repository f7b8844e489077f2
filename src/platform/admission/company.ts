import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long after work of another account an account is no longer alone, in milliseconds. */
const COMPANY_MS = 1_000;
/** The longest rest, in milliseconds. */
const MAX_REST_MS = 100;
/** The event loop is busy when it is so for more than this part of the time: what comes then waits for long. */
const BUSY = 0.6;

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

/** Waits for so many milliseconds, and on while the event loop is busy, `most` in all. */
export async function restWhileBusy(milliseconds: number, most = MAX_REST_MS): Promise<void> {
  const [began, use] = [performance.now(), performance.eventLoopUtilization()];
  do await sleep(milliseconds);
  while (performance.eventLoopUtilization(use).utilization > BUSY && performance.now() - began < most);
}
