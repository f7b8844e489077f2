import { AppError } from '../../errors.js';
import { restWhileBusy } from '../company.js';
import { noTurn, PATIENCE_MS } from '../no-turn.js';
import { OneByOne } from '../one-by-one.js';
import { accountsAtWork, currentWork } from '../work.js';

/** What a result without values takes of the event loop, in milliseconds, and each value of it. */
const RESULT_MS = 0.4;
const VALUE_MS = 0.003;
/** What is longer is divided into slices, which have turns of their own. */
const LONGEST_MS = 10;
/** What an account may begin at once within `MOMENT_MS`, in milliseconds of the event loop's time. */
export const AT_ONCE_MS = 5;
export const MOMENT_MS = 100;

/**
 * Turns for results, which take the event loop's time in several parts: to read rows, to execute, to write. So it is
 * estimated by their values. While other accounts have work, an account begins few at once, and more in turns with others
 * while the event loop has time left: otherwise each part of a request would wait behind parts of hundreds.
 */
export class ResultTurns {
  private readonly queue: OneByOne;
  private begun = new Map<string, number>();
  private momentEnds = -Infinity;

  constructor(
    private readonly now = () => performance.now(),
    private readonly rest: (milliseconds: number) => Promise<void> = restWhileBusy,
  ) {
    this.queue = new OneByOne(now);
  }

  /**
   * Resolves when the account may begin a result of so many values, for the client of the current work; undefined if it
   * may at once. @throws AppError `rate_limited` after `patience` milliseconds.
   */
  take(accountId: string, values: number, patience = PATIENCE_MS): Promise<void> | undefined {
    const milliseconds = Math.min(LONGEST_MS, RESULT_MS + values * VALUE_MS);
    if (!accountsAtWork.isMixed || this.beginsAtOnce(accountId, milliseconds)) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { client } = currentWork();
    let isRefused = false;
    const refuse = (): void => {
      isRefused = true;
      reject(tooManyResults());
    };
    const timer = patience === Infinity ? undefined : setTimeout(refuse, patience);
    void this.queue.add(accountId, async () => {
      clearTimeout(timer);
      resolve();
      if (!isRefused && client?.signal.aborted !== true) await this.rest(milliseconds);
    });
    return promise;
  }

  private beginsAtOnce(accountId: string, milliseconds: number): boolean {
    if (this.now() >= this.momentEnds) {
      this.momentEnds = this.now() + MOMENT_MS;
      this.begun = new Map();
    }
    const sum = (this.begun.get(accountId) ?? 0) + milliseconds;
    if (sum > AT_ONCE_MS) return false;
    this.begun.set(accountId, sum);
    return true;
  }
}

function tooManyResults(): AppError {
  const message = 'The account waits for too many results while the service is busy. Request fewer at the same time.';
  return new AppError('rate_limited', message, noTurn('No turn for a result in time.'));
}
