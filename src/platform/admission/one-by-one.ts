import { FairQueue } from './fair-queue.js';

/** The cost of one piece of work: about one turn of a lane, so that each turn is one piece. */
const A_TURN = 64_000;

/** Runs one piece of work at a time; accounts take turns, and each keeps its order. */
export class OneByOne {
  private readonly queue = new FairQueue<() => Promise<void>>();
  private isBusy = false;

  /** Settles as the work does, once it had its turn. */
  add<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.queue.add(accountId, () => new Promise<T>((begin) => begin(work())).then(resolve, reject), A_TURN);
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
