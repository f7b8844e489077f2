/** Runs the work of each key one after another. */
export class InOrder {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Settles as the work does, which begins when the earlier work of its key has ended in any way. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    this.last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.last.get(key) === own) this.last.delete(key);
    }
  }
}
