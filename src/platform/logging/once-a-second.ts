import { type Logger } from './logger.js';

const PERIOD_MS = 1_000;
/** The most kinds of lines that are counted at once. */
const MAX_KINDS = 100;

/**
 * Logs one line a second for each kind, with the number of those that it stands for: an outage concerns thousands of requests,
 * and their lines would say the same.
 */
export class OnceASecond {
  private readonly left = new Map<string, number>();

  constructor(private readonly logger: Logger) {}

  /** The first line of a kind is logged at once; the later ones of its second are counted, and their number is logged. */
  log(level: 'debug' | 'info' | 'warn' | 'error', kind: string, fields: object, message: string): void {
    const left = this.left.get(kind);
    if (left !== undefined) return void this.left.set(kind, left + 1);
    this.logger[level](fields, message);
    if (this.left.size >= MAX_KINDS) return;
    this.left.set(kind, 0);
    setTimeout(() => {
      const more = this.left.get(kind)!;
      this.left.delete(kind);
      if (more > 0) this.logger[level]({ ...fields, count: more }, message);
    }, PERIOD_MS).unref();
  }
}
