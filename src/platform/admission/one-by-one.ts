import { FairQueue } from './fair-queue.js';

/** About what a lane may take in one turn, so that each piece of work is one. */
const A_TURN = 64_000;

/** Does one piece of work at a time; accounts take turns, and each keeps its order. */
export class OneByOne {
  private readonly queue = new FairQueue<() => Promise<void>>();
  private isBusy = false;

  /** Resolves or rejects as the work does, once it had its turn. */
  add<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.queue.add(accountId, () => work().then(resolve, reject), A_TURN);
    if (!this.isBusy) void this.loop();
    return promise;
  }

  private async loop(): Promise<void> {
    this.isBusy = true;
    while (this.queue.length > 0) {
      const [next] = this.queue.take({ count: 1, bytes: Infinity });
      await next!();
    }
    this.isBusy = false;
  }
}
