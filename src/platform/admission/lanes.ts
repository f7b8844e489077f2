/**
 * Limits how much work of one account, or of another key, runs at the same time. The rest waits in order; a waiting entry
 * costs one function.
 */
export class Lanes {
  private readonly accounts = new Map<string, { running: number; waiting: (() => void)[] }>();
  private readonly width: () => number;

  /** `width`: the maximum, at least 1. It may change; each end of some work looks at it again. */
  constructor(width: number | (() => number)) {
    this.width = typeof width === 'number' ? () => width : width;
  }

  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    await this.enter(accountId);
    try {
      return await work();
    } finally {
      this.leave(accountId);
    }
  }

  private async enter(accountId: string): Promise<void> {
    const account = this.accounts.get(accountId) ?? { running: 0, waiting: [] };
    this.accounts.set(accountId, account);
    if (account.waiting.length > 0 || account.running >= this.width())
      return new Promise((resolve) => account.waiting.push(resolve));
    account.running += 1;
  }

  private leave(accountId: string): void {
    const account = this.accounts.get(accountId)!;
    account.running -= 1;
    while (account.waiting.length > 0 && account.running < this.width()) {
      account.running += 1;
      account.waiting.shift()!();
    }
    if (account.running === 0) this.accounts.delete(accountId);
  }
}
