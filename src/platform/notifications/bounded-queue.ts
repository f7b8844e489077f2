/** The default maximum of queued values. */
export const QUEUE_LIMIT = 256;
/** A reader that takes nothing for this long while values wait is too slow, in milliseconds. */
export const PATIENCE_MS = 10_000;

/**
 * Passes values to one reader in order. Unlike in an async generator, `return()` takes effect at once, even during a
 * pending read. Unlike in an unbounded buffer, a reader that stops reading costs at most `limit` values.
 */
export class BoundedQueue<T> implements AsyncIterableIterator<T> {
  private readonly values: T[] = [];
  private readonly reads: PromiseWithResolvers<IteratorResult<T>>[] = [];
  private taken = 0;
  private ended = false;
  private failure: { error: unknown } | undefined;
  private onEmptied: (() => void) | undefined;

  /**
   * @param limit the maximum of queued values, read at each push. @param onClose is called once, when the queue ends
   * for any reason.
   */
  constructor(
    private readonly onClose: () => void = () => undefined,
    private readonly limit: () => number = () => QUEUE_LIMIT,
  ) {}

  /**
   * Appends a value. @returns false when the queue is full and the value was not taken. An ended queue drops all
   * values.
   */
  push(value: T): boolean {
    if (this.ended) return true;
    const read = this.reads.shift();
    if (read !== undefined) {
      this.taken += 1;
      read.resolve({ value, done: false });
      return true;
    }
    if (this.values.length >= this.limit()) return false;
    this.values.push(value);
    return true;
  }

  /** Accepts no further value: the reader gets the queued ones, then the end. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const read of this.reads.splice(0)) read.resolve({ value: undefined, done: true });
    this.onEmptied?.();
    this.onClose();
  }

  /** Ends with an error, which the reader gets after the queued values. */
  fail(error: unknown): void {
    if (this.ended) return;
    const read = this.reads.shift();
    if (read !== undefined) read.reject(error);
    else this.failure = { error };
    this.end();
  }

  /**
   * Waits until the reader has taken all values or the queue has ended. @returns false as soon as the reader has taken
   * nothing for `patienceMs`.
   */
  async drained(patienceMs: number): Promise<boolean> {
    for (let before = -1; this.values.length > 0 && !this.ended;) {
      if (before === this.taken) return false;
      before = this.taken;
      await this.emptiedWithin(patienceMs);
    }
    return true;
  }

  /** The number of queued values. */
  get waiting(): number {
    return this.values.length;
  }

  /** The next values, at most so many of them; they stay in the queue. */
  peek(most: number): readonly T[] {
    return this.values.slice(0, most);
  }

  get isEnded(): boolean {
    return this.ended;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.values.length > 0) {
      const value = this.values.shift()!;
      this.taken += 1;
      if (this.values.length === 0) this.onEmptied?.();
      return { value, done: false };
    }
    if (this.failure !== undefined) {
      const { error } = this.failure;
      this.failure = undefined;
      throw error;
    }
    if (this.ended) return { value: undefined, done: true };
    const read = Promise.withResolvers<IteratorResult<T>>();
    this.reads.push(read);
    return read.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.values.length = 0;
    this.failure = undefined;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async emptiedWithin(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.onEmptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onEmptied = undefined;
  }
}
