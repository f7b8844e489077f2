import { readFileSync } from 'node:fs';

const EVERY_MS = 100;
const PAGE_BYTES = 4_096;

/** Samples the memory of another process until `stop`. */
export class Watch {
  /** The peak resident memory, in bytes. */
  peak = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.look();
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    try {
      const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
      this.peak = Math.max(this.peak, pages * PAGE_BYTES);
    } catch {
      // The process has ended; its parent notices that.
    }
  }
}
