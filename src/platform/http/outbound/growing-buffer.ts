const NOTHING = Buffer.alloc(0);

/**
 * Concatenates bytes by copying. A list of chunks would hold much more memory than their length: a chunk of one byte is
 * an object, and keeps the 64 kB buffer in which it was received.
 */
export class GrowingBuffer {
  private bytes: Buffer = NOTHING;
  private used = 0;

  /** For about `expected` bytes, if that is known: so much memory is taken at once. */
  constructor(private readonly expected = 4_096) {}

  get size(): number {
    return this.used;
  }

  add(chunk: Uint8Array): void {
    const needed = this.used + chunk.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length, this.expected));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.used);
    this.used = needed;
  }

  /** Returns the content and releases it. */
  take(): Buffer {
    const content = this.content();
    this.bytes = NOTHING;
    this.used = 0;
    return content;
  }

  /** Returns the content; shares its memory. */
  content(): Buffer {
    return this.bytes.subarray(0, this.used);
  }
}
