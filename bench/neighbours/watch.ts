import { readFileSync } from 'node:fs';

const EVERY_MS = 100;
const PAGE_BYTES = 4_096;

/** Looks at the memory of another process until it is told to stop. */
export class Watch {
  /** The most resident memory seen, in bytes. */
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
      // It has ended, which is noticed elsewhere.
    }
  }
}
