import { nextTurn } from '../../../platform/admission/pace.js';

/** Listeners that are told in one go; then the process does what else it has to do. */
const AT_ONCE = 100;
/** Changes of an account that wait to be handed out. Beyond them its listeners have lost the thread. */
const BACKLOG = 10_000;

/** One change. */
export interface Handed {
  /** Tells one listener with each step. Begun when its turn comes. */
  steps(): Iterable<unknown>;
  /** Ends its listeners: they would not hear of it. */
  lose(): void;
}

/**
 * Hands changes to listeners: those of an account in order, some at a time between two turns of the event loop, so that
 * many listeners of one account delay no other.
 */
export class HandingOut {
  private readonly backlogs = new Map<string, Handed[]>();
  private stopped = false;

  /** Listeners are told at once where nothing of the account waits. */
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

  /** May change while work waits. */
  private isStopped(): boolean {
    return this.stopped;
  }

  private async work(accountId: string, backlog: Handed[]): Promise<void> {
    let left = AT_ONCE;
    // What comes later in a turn waits for the next: each may have as many listeners.
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
