/** What an event came to. Moments are numbered as they pass in this process. */
export interface Written {
  /** When its last attempt began; 0 for one that nobody else should be given. */
  began: number;
  ended: number;
  text: string;
}

/** An execution that is under way, or over: what it came to is given to all who asked the same. */
export interface Result {
  /** Undefined once it is let go. */
  shared: { readonly written: Written; readonly done: Promise<Written> } | undefined;
}

/** What the results that are kept may have together, in bytes. */
const KEPT_BYTES = 33_554_432;
/** What a result takes beside its text. */
const RESULT_BYTES = 256;

/**
 * Results that are kept for those who have not come to their event yet. An event lives as long as one listener has it
 * before it, and has a text for each document and variables: of those too many, the oldest are let go and executed again.
 */
export class KeptResults {
  private readonly sizes = new Map<Result, number>();
  private bytes = 0;

  /** What is kept now, in bytes. */
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
