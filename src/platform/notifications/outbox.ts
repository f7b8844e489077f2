/** The minimum pause between two messages of a process, in milliseconds: each takes a lock on the whole database cluster. */
const PAUSE_MS = 10;

/** Hints that wait for their message, by a key: a hint that is the same as a waiting one, or contains it, replaces it. */
type Waiting = Map<string, string>;

/**
 * Gathers hints and sends them, one message at a time. The first hint after a pause goes at once; those that follow wait for
 * each other. Order is kept.
 */
export class Outbox {
  private waiting: Waiting = new Map();
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private lastSent = -Infinity;

  /** `send` must not reject: a hint that cannot be sent is lost. */
  constructor(private readonly send: (texts: string[]) => Promise<void>) {}

  add(key: string, text: string): void {
    this.waiting.set(key, text);
    this.plan();
  }

  /** Sends what waits. Resolves when nothing is under way. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.sending !== undefined || this.waiting.size > 0) await (this.sending ??= this.sendAll());
  }

  private plan(): void {
    if (this.timer !== undefined || this.sending !== undefined || this.waiting.size === 0) return;
    const pause = this.lastSent + PAUSE_MS - performance.now();
    if (pause <= 0) this.sending = this.sendAll();
    else {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        if (this.waiting.size > 0) this.sending ??= this.sendAll();
      }, pause);
      this.timer.unref();
    }
  }

  private async sendAll(): Promise<void> {
    const texts = [...this.waiting.values()];
    this.waiting = new Map();
    this.lastSent = performance.now();
    await this.send(texts);
    this.sending = undefined;
    this.plan();
  }
}
