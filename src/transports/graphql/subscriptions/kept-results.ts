/** The outcome of an execution. Moments are numbered in order within this process. */
export interface Written {
  /** The moment when its last attempt began; 0 when it must not be shared. */
  began: number;
  ended: number;
  text: string;
}

/** A pending or finished execution, shared by all subscribers with the same operation. */
export interface Result {
  /** Undefined once it is evicted. */
  shared?: { readonly written: Written; readonly done: Promise<Written> } | undefined;
}

/** Maximum size of all kept results, in bytes. */
const KEPT_BYTES = 33_554_432;
/** Memory per result beside its text, in bytes. */
export const RESULT_BYTES = 256;

/**
 * Results kept for subscribers that have not reached the event yet. An event lives as long as one listener still has it
 * in its queue, with a text per document and variables. Beyond the limit the oldest results are evicted; they are
 * executed again when needed.
 */
export class KeptResults {
  private readonly sizes = new Map<Result, number>();
  private bytes = 0;

  /** Bytes kept now. */
  get inUse(): number {
    return this.bytes;
  }

  keep(result: Result, { text }: Written): void {
    const size = RESULT_BYTES + text.length;
    this.sizes.set(result, size);
    this.bytes += size;
    for (const [oldest, bytes] of this.sizes) {
      if (this.bytes <= KEPT_BYTES) return;
      oldest.shared = undefined;
      this.sizes.delete(oldest);
      this.bytes -= bytes;
    }
  }
}
