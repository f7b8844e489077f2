import { BoundedQueue, PATIENCE_MS } from '../../../platform/notifications/bounded-queue.js';
import { isFinished } from '../run-status.js';
import { type Snapshot } from './change-marks.js';
import { type RunStatusChange } from './run-change.js';
import { type RunListener } from './run-followers.js';
import { type MissedChange } from './missed-changes.js';
import { keyOf, type ReadChanges } from './read-changes.js';
import { COMMITTED_WITHIN_MS, type RunPosition } from './run-positions.js';

/** How a stream of changes ends, and what it may hold. */
export interface StreamOptions {
  /** It follows one run, and ends with it. */
  ends: boolean;
  onSlowReader: () => void;
  /** The maximum number of changes that wait for the reader. */
  waiting: () => number;
  /** The maximum number of missed changes that wait. Unlike those of the feed, listeners do not share them. */
  missed: () => number;
  /** What all listeners have read. */
  read: ReadChanges;
}

/** Reads the changes behind a position. */
export type ReadMissed = (from: RunPosition) => AsyncIterable<readonly MissedChange[]>;

/** The changes for one listener. Changes received before `begin`, or while missed ones are read, wait. */
export class RunStream {
  readonly changes: BoundedQueue<RunStatusChange>;
  private early: RunStatusChange[] | undefined = [];
  private hasDropped = false;
  private version = 0;
  /** The last read of missed changes: it covered those since this time that its snapshot sees. */
  private covered: { since: number; snapshot: Snapshot } | undefined;
  /** What the feed has delivered since that read, until the resuming is over: a further read finds it, too. */
  private given: RunStatusChange[] = [];

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
        let snapshot = this.covered?.snapshot;
        const given = new Set(this.given.map(keyOf));
        for await (const changes of missed(from)) {
          for (const found of changes) await this.deliverMissed(found, given);
          if (this.changes.isEnded) return;
          snapshot = changes.at(-1)?.snapshot ?? snapshot;
          const at = changes.at(-1)?.change.at.getTime() ?? 0;
          if (at > from.at) from = { at, horizon: 0n };
        }
        if (snapshot !== undefined) this.covered = { since: position.at - COMMITTED_WITHIN_MS, snapshot };
        this.given = [];
        await this.deliverEarly();
      }
    } catch (error) {
      this.changes.fail(error);
    }
  }

  /** Delivers what the feed has received, unless some of it was dropped. Ends the waiting if nothing was. */
  private async deliverEarly(): Promise<void> {
    const early = this.hasDropped ? [] : this.early!;
    for (let next = early.shift(); next !== undefined; next = early.shift()) {
      if (this.isKnown(next)) continue;
      this.given.push(next);
      // Some are dropped once these have been delivered, and as many wait.
      if (this.given.length > 2 * this.options.waiting()) this.given.shift();
      await this.deliver(next);
    }
    this.early = this.hasDropped ? [] : undefined;
    if (this.early === undefined) this.given = [];
  }

  /** Delivers a change that was read, unless the listener has it already. */
  private async deliverMissed(found: MissedChange, given: ReadonlySet<string>): Promise<void> {
    const { change, isKnown } = found;
    this.options.read.note(found);
    if (!isKnown && !given.has(keyOf(change)) && !this.isKnown(change)) await this.deliver(change);
  }

  /** Waits for the reader, unless it takes nothing at all. */
  private async deliver(change: RunStatusChange): Promise<void> {
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

  private isKnown(change: RunStatusChange): boolean {
    if (this.options.ends) return change.version <= this.version;
    const { covered } = this;
    return (
      covered !== undefined && change.at.getTime() >= covered.since && this.options.read.has(change, covered.snapshot)
    );
  }

  /** Ends a stream that lost changes: its client subscribes again. */
  private lose(): void {
    this.options.onSlowReader();
    void this.changes.return();
  }
}
