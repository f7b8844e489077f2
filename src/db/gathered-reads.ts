import DataLoader from 'dataloader';
import { type Database } from './database.js';

const MOST = 100;

/**
 * Reads of single rows that come in the same turn of the event loop, from whichever clients, as one statement: on a busy
 * service half the time of such a read is the system call that sends it (docs/performance.md). Nobody waits for company,
 * and nothing is remembered: each read begins after it was asked for.
 */
export class GatheredReads<K, V> {
  private readonly loader: DataLoader<K, V | undefined>;

  /** `read` gives for each key, in the same order, its row. A key names its account: callers of all accounts meet here. */
  constructor(
    private readonly db: Database,
    private readonly read: (keys: readonly K[]) => Promise<(V | undefined)[]>,
  ) {
    this.loader = new DataLoader((keys: readonly K[]) => this.read(keys), {
      cache: false,
      maxBatchSize: MOST,
      batchScheduleFn: (go) => void setImmediate(go),
    });
  }

  /** The row of a key; within a unit of work on its connection, alone, so that it sees what was written there. */
  async load(key: K): Promise<V | undefined> {
    return this.db.isInUnit ? (await this.read([key]))[0] : this.loader.load(key);
  }
}
