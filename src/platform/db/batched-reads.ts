import DataLoader from 'dataloader';
import { workForCallers } from '../admission/work.js';
import { type Database } from './database.js';

const MAX_BATCH = 100;

/**
 * Combines reads of single rows from the same turn of the event loop, of all clients, into one statement: on a busy
 * service the system call that sends it takes half the time of such a read (docs/performance.md). No read waits while a
 * lane is free, and nothing is cached: each read starts after its request.
 */
export class BatchedReads<K, V> {
  private readonly loader: DataLoader<K, V | undefined>;
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  /**
   * `read` returns the row of each key, in the same order. A key names its account: reads of all accounts share a
   * statement. At most `lanes` statements run at the same time; keys that arrive in between go into the next.
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

  /**
   * The row of a key. In a unit of work it is read alone on the unit's connection, so that it sees the unit's writes.
   */
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
