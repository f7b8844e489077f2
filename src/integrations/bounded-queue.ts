/** What a subscriber may leave unread before its connection is ended. */
export const QUEUE_LIMIT = 256;

/**
 * Hands values to one reader in order. Unlike an async generator, `return()` takes effect at once, also while a read
 * waits; and unlike an unbounded buffer, a reader that stops reading costs at most `QUEUE_LIMIT` values.
 */
export class BoundedQueue<T> implements AsyncIterableIterator<T> {
  private readonly values: T[] = [];
  private waiting: PromiseWithResolvers<IteratorResult<T>> | undefined;
  private emptied: (() => void) | undefined;
  private ended = false;
  private failure: { error: unknown } | undefined;

  constructor(private readonly events: { onClose: () => void; onOverflow: () => void }) {}

  /** Appends a value; past the limit the queue ends instead. */
  push(value: T): void {
    if (this.ended) return;
    if (this.waiting !== undefined) {
      this.waiting.resolve({ value, done: false });
      this.waiting = undefined;
    } else if (this.values.length < QUEUE_LIMIT) {
      this.values.push(value);
    } else {
      this.values.length = 0;
      this.end();
      this.events.onOverflow();
    }
  }

  /** No further value: the reader gets what is queued, then the end. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.waiting?.resolve({ value: undefined, done: true });
    this.waiting = undefined;
    this.emptied?.();
    this.events.onClose();
  }

  /** Ends with an error, which the reader gets after what is queued. */
  fail(error: unknown): void {
    if (this.ended) return;
    if (this.waiting !== undefined) this.waiting.reject(error);
    else this.failure = { error };
    this.waiting = undefined;
    this.end();
  }

  /** Resolves when the reader has taken all there is, or the queue has ended: what is read from a table waits for it. */
  async drained(): Promise<void> {
    if (this.values.length === 0 || this.ended) return;
    await new Promise<void>((resolve) => (this.emptied = resolve));
  }

  get isEnded(): boolean {
    return this.ended;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.values.length > 0) {
      const value = this.values.shift()!;
      if (this.values.length === 0) this.emptied?.();
      return { value, done: false };
    }
    if (this.failure !== undefined) {
      const { error } = this.failure;
      this.failure = undefined;
      throw error;
    }
    if (this.ended) return { value: undefined, done: true };
    this.waiting = Promise.withResolvers();
    return this.waiting.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.values.length = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
