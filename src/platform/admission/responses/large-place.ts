import { type FairShare } from '../fair-share.js';
import { noRoom, PATIENCE_MS } from '../no-turn.js';

/** The place of one response among the few that read much at the same time. */
export class LargePlace {
  isHeld = false;
  private taking: Promise<void> | undefined;
  private isOver = false;
  /** Ends the wait of a request that must not be refused; created on first use. */
  private over: AbortController | undefined;

  /** `keep` receives the function that gives the place back. */
  constructor(
    private readonly places: FairShare,
    private readonly accountId: string,
    private readonly keep: (leave: () => void) => void,
  ) {}

  /** Waits for the place; statements of a response wait together. @throws AppError `rate_limited` when the signal aborts. */
  take(signal = AbortSignal.timeout(PATIENCE_MS)): Promise<void> {
    return (this.taking ??= this.wait(signal).finally(() => (this.taking = undefined)));
  }

  /**
   * Takes the place if it is not held. `canWait`: false while the request holds a connection. `canFail`: whether the
   * request may be refused. One that must not fail waits as long as its client does; with a connection it goes on without a
   * free place. @throws AppError `rate_limited`
   */
  async demand({ canWait, canFail }: { canWait: boolean; canFail: boolean }): Promise<void> {
    if (this.isHeld) return;
    if (this.isOver) noRoom();
    if (canWait) await this.take(canFail ? undefined : (this.over ??= new AbortController()).signal);
    else
      this.hold(this.places.tryTake(this.accountId, 1) ?? (canFail ? noRoom() : this.places.hold(this.accountId, 1)));
  }

  /** The response has been sent, or its client has left: nothing more is read for it. */
  end(): void {
    this.isOver = true;
    this.over?.abort();
  }

  private async wait(signal: AbortSignal): Promise<void> {
    this.hold(await this.places.take(this.accountId, 1, signal).catch(noRoom));
  }

  private hold(leave: () => void): void {
    this.isHeld = true;
    this.keep(leave);
  }
}
