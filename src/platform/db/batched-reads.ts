import DataLoader from 'dataloader';
import { workForCallers } from '../admission/work.js';
import { type Database } from './database.js';

const MAX_BATCH = 100;

/**
 * Reads of single rows that come in the same turn of the event loop, from whichever clients, as one statement: on a busy
 * service half the time of such a read is the system call that sends it (docs/performance.md). No read waits for company
 * while a lane is free, and nothing is remembered: each read begins after it was asked for.
 */
export class BatchedReads<K, V> {
  private readonly loader: DataLoader<K, V | undefined>;
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  /**
   * `read` gives for each key, in the same order, its row. A key names its account: callers of all accounts meet here.
   * At most `lanes` statements are under way; what comes meanwhile is gathered by the next.
   */
  constructor(
    private readonly db: Database,
    private readonly read: (keys: readonly K[]) => Promise<(V | undefined)[]>,
    private readonly lanes = Infinity,
  ) {
    this.loader = new DataLoader((keys: readonly K[]) => workForCallers(() => this.inLane(keys)), {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (go) => void setImmediate(() => this.schedule(go)),
    });
  }

  /** The row of a key; within a unit of work on its connection, alone, so that it sees what was written there. */
  async load(key: K): Promise<V | undefined> {
    return this.db.isInUnit ? (await this.read([key]))[0] : this.loader.load(key);
  }

  private schedule(go: () => void): void {
    if (this.underWay < this.lanes) go();
    else this.waiting.push(go);
  }

  private async inLane(keys: readonly K[]): Promise<(V | undefined)[]> {
    this.underWay += 1;
    try {
      return await this.read(keys);
    } finally {
      this.underWay -= 1;
      this.waiting.shift()?.();
    }
  }
}
