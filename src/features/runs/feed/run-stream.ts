import { BoundedQueue, PATIENCE_MS } from '../../../platform/notifications/bounded-queue.js';
import { isFinished } from '../run-status.js';
import { type RunStatusChange } from './run-change.js';
import { type RunListener } from './run-followers.js';
import { type MissedChange } from './missed-changes.js';
import { type RunPosition } from './run-positions.js';

/** How many runs of the latest missed changes a stream remembers, so that the feed does not deliver them again. */
const REMEMBERED = 1_000;

/** How a stream of changes ends, and what it may hold. */
export interface StreamOptions {
  /** It follows one run, and ends with it. */
  ends: boolean;
  onSlowReader: () => void;
  /** The maximum number of changes that wait for the reader. */
  waiting: () => number;
  /** The maximum number of missed changes that wait. Unlike those of the feed, listeners do not share them. */
  missed: () => number;
}

/** Reads the changes behind a position. */
export type ReadMissed = (from: RunPosition) => AsyncIterable<readonly MissedChange[]>;

/** The changes for one listener. Changes received before `begin`, or while missed ones are read, wait. */
export class RunStream {
  readonly changes: BoundedQueue<RunStatusChange>;
  private early: RunStatusChange[] | undefined = [];
  private hasDropped = false;
  private version = 0;
  private readonly resumed = new Map<string, number>();

  constructor(
    listen: (listener: Omit<RunListener, 'accountId'>) => () => void,
    private readonly options: StreamOptions,
  ) {
    const detach = listen({ tell: (change) => this.hear(change), lose: () => this.lose() });
    this.changes = new BoundedQueue(detach, options.waiting);
  }

  /** @param latest is delivered first; earlier changes of the same run are dropped. */
  begin(latest?: RunStatusChange): void {
    const early = this.early ?? [];
    this.early = undefined;
    if (latest !== undefined) this.hear(latest);
    for (const change of early) this.hear(change);
  }

  /**
   * Delivers the changes behind a position, as fast as the reader takes them, then what the feed has received meanwhile.
   * If that is more than may wait, it is read as missed changes are.
   */
  async resume(missed: ReadMissed, position: RunPosition): Promise<void> {
    try {
      for (let from = position; this.early !== undefined;) {
        this.hasDropped = false;
        for await (const changes of missed(from)) {
          for (const { change, isKnown } of changes) await (isKnown ? this.remember(change) : this.deliver(change));
          if (this.changes.isEnded) return;
          const at = changes.at(-1)?.change.at.getTime() ?? 0;
          if (at > from.at) from = { at, horizon: 0n };
        }
        await this.deliverEarly();
      }
    } catch (error) {
      this.changes.fail(error);
    }
  }

  /** Delivers what the feed has received, unless some of it was dropped. Ends the waiting if nothing was. */
  private async deliverEarly(): Promise<void> {
    const early = this.hasDropped ? [] : this.early!;
    for (let next = early.shift(); next !== undefined; next = early.shift()) await this.deliver(next);
    this.early = this.hasDropped ? [] : undefined;
  }

  /** Waits for the reader, unless it takes nothing at all. */
  private async deliver(change: RunStatusChange): Promise<void> {
    if (this.isKnown(change)) return;
    this.remember(change);
    while (this.changes.waiting >= this.options.missed() || !this.changes.push(change)) {
      if (!(await this.changes.drained(PATIENCE_MS))) return this.lose();
    }
  }

  private hear(change: RunStatusChange): void {
    if (this.early !== undefined) {
      if (this.early.length < this.options.waiting()) this.early.push(change);
      else this.hasDropped = true;
      return;
    }
    if (this.isKnown(change)) return;
    this.version = change.version;
    if (!this.changes.push(change)) this.lose();
    else if (this.options.ends && isFinished(change.status)) this.changes.end();
  }

  private isKnown({ runUuid, version }: RunStatusChange): boolean {
    return version <= (this.options.ends ? this.version : (this.resumed.get(runUuid) ?? 0));
  }

  private remember({ runUuid, version }: RunStatusChange): void {
    this.resumed.delete(runUuid);
    this.resumed.set(runUuid, version);
    if (this.resumed.size > REMEMBERED) this.resumed.delete(this.resumed.keys().next().value!);
  }

  /** Ends a stream that lost changes: its client subscribes again. */
  private lose(): void {
    this.options.onSlowReader();
    void this.changes.return();
  }
}
