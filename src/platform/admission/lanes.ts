/**
 * Limits how much work of one account, or of another key, runs at the same time. The rest waits in order; a waiting entry
 * costs one function.
 */
export class Lanes {
  private readonly accounts = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(private readonly width: number) {}

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
    if (account.running === this.width) return new Promise((resolve) => account.waiting.push(resolve));
    account.running += 1;
  }

  private leave(accountId: string): void {
    const account = this.accounts.get(accountId)!;
    const next = account.waiting.shift();
    if (next !== undefined) return next();
    account.running -= 1;
    if (account.running === 0) this.accounts.delete(accountId);
  }
}
