import { nextTurn } from '../../../platform/admission/pace.js';

/** Listeners notified in one turn of the event loop. */
const AT_ONCE = 100;
/** The maximum number of waiting changes per account. Beyond it they are dropped and the listeners are ended. */
const BACKLOG = 10_000;

/** One change, with its delivery to the listeners. */
export interface Handed {
  /** Notifies one listener per step. Called when the change's turn comes. */
  steps(): Iterable<unknown>;
  /** Ends the listeners of a dropped change. */
  lose(): void;
}

/**
 * Delivers changes to listeners, in order per account and in batches between turns of the event loop, so that an
 * account with many listeners does not delay others.
 */
export class HandingOut {
  private readonly backlogs = new Map<string, Handed[]>();
  private stopped = false;

  /** Delivers a change at once if no other change of the account waits. */
  add(accountId: string, change: Handed): void {
    const backlog = this.backlogs.get(accountId);
    if (backlog === undefined) {
      const fresh = [change];
      this.backlogs.set(accountId, fresh);
      void this.work(accountId, fresh);
    } else if (backlog.length < BACKLOG) backlog.push(change);
    else for (const lost of [...backlog.splice(0), change]) lost.lose();
  }

  stop(): void {
    this.stopped = true;
  }

  /** A method, so that TypeScript does not assume that the value stays the same across an `await`. */
  private isStopped(): boolean {
    return this.stopped;
  }

  private async work(accountId: string, backlog: Handed[]): Promise<void> {
    let left = AT_ONCE;
    // A change added later in this turn waits for the next one: it may have as many listeners.
    for (; backlog.length > 0 && !this.isStopped(); await nextTurn(), left = AT_ONCE) {
      for (let change = backlog.shift(); change !== undefined; change = backlog.shift()) {
        const steps = change.steps()[Symbol.iterator]();
        while (!steps.next().done) {
          left -= 1;
          if (left > 0) continue;
          await nextTurn();
          if (this.isStopped()) return;
          left = AT_ONCE;
        }
      }
    }
    this.backlogs.delete(accountId);
  }
}
