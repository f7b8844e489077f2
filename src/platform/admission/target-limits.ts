/** Concurrent calls from this process: to one host, and to one host for one account. */
export const PER_HOST = 100;
export const PER_ACCOUNT = 60;
/** How long a call waits for a free slot, in milliseconds. */
export const SLOT_PATIENCE_MS = 10_000;

/** A call that waits for a free slot. */
interface Waiter {
  account: string;
  /** Lets the call begin. */
  admit(): void;
}

interface Target {
  calls: number;
  byAccount: Map<string, number>;
  waiting: Set<Waiter>;
}

/**
 * Bounds the concurrent calls to each host, so that a slow host is not overloaded, and those of one account to a host,
 * so that other accounts still reach it. Waiting calls begin in the order of their arrival.
 */
export class TargetLimits {
  private readonly targets = new Map<string, Target>();

  /**
   * Waits for a free slot.
   * @returns the function that frees the slot; undefined if none became free within 10 s or before the signal aborted.
   */
  async enter(host: string, account: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const target = this.targets.get(host) ?? { calls: 0, byAccount: new Map(), waiting: new Set() };
    this.targets.set(host, target);
    if (!hasRoom(target, account)) {
      if (signal.aborted || !(await turn(target, account, signal))) return undefined;
    } else begin(target, account);
    return () => this.leave(host, target, account);
  }

  private leave(host: string, target: Target, account: string): void {
    target.calls -= 1;
    const left = target.byAccount.get(account)! - 1;
    if (left > 0) target.byAccount.set(account, left);
    else target.byAccount.delete(account);
    for (const waiter of target.waiting) {
      if (!hasRoom(target, waiter.account)) continue;
      begin(target, waiter.account);
      waiter.admit();
      break;
    }
    if (target.calls === 0) this.targets.delete(host);
  }
}

function hasRoom({ calls, byAccount }: Target, account: string): boolean {
  return calls < PER_HOST && (byAccount.get(account) ?? 0) < PER_ACCOUNT;
}

function begin(target: Target, account: string): void {
  target.calls += 1;
  target.byAccount.set(account, (target.byAccount.get(account) ?? 0) + 1);
}

/** Resolves to true once the call was admitted and counted, to false when it gave up. */
function turn({ waiting }: Target, account: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (admitted: boolean) => {
      waiting.delete(waiter);
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(admitted);
    };
    const giveUp = () => end(false);
    const waiter: Waiter = { account, admit: () => end(true) };
    const timer = setTimeout(giveUp, SLOT_PATIENCE_MS).unref();
    signal.addEventListener('abort', giveUp, { once: true });
    waiting.add(waiter);
  });
}
