import { AppError } from '../errors.js';
import { noTurn } from './no-turn.js';

interface Lane {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Limits how much work of one account, or of another key, runs at the same time. The rest waits in order; a waiting entry
 * costs one function.
 */
export class Lanes {
  private readonly accounts = new Map<string, Lane>();
  private readonly width: () => number;

  /** `width`: the maximum, at least 1. It may change; each end of some work looks at it again. */
  constructor(width: number | (() => number)) {
    this.width = typeof width === 'number' ? () => width : width;
  }

  /**
   * `until`: the time after which the work does not start any more, in milliseconds of `performance.now()`.
   * @throws AppError `unavailable` if its turn has not come by then.
   */
  async run<T>(accountId: string, work: () => Promise<T>, until = Infinity): Promise<T> {
    await this.enter(accountId, until);
    try {
      if (performance.now() > until) throw tooLate();
      return await work();
    } finally {
      this.leave(accountId);
    }
  }

  private async enter(accountId: string, until: number): Promise<void> {
    const account = this.accounts.get(accountId) ?? { running: 0, waiting: new Set() };
    this.accounts.set(accountId, account);
    if (account.waiting.size > 0 || account.running >= this.width()) return wait(account, until);
    account.running += 1;
  }

  private leave(accountId: string): void {
    const account = this.accounts.get(accountId)!;
    account.running -= 1;
    for (const next of account.waiting) {
      if (account.running >= this.width()) break;
      account.running += 1;
      account.waiting.delete(next);
      next();
    }
    if (account.running === 0) this.accounts.delete(accountId);
  }
}

function wait({ waiting }: Lane, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const giveUp = (): void => {
      if (waiting.delete(begin)) reject(tooLate());
    };
    const timer = until === Infinity ? undefined : setTimeout(giveUp, until - performance.now());
    waiting.add(begin);
  });
}

function tooLate(): AppError {
  return new AppError('unavailable', 'Too much of the account waits for its turn.', noTurn('No turn in time.'));
}
