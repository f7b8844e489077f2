import { type Written } from './kept-results.js';

/** A result whose event is still in the queue. */
interface Early {
  written: Written;
  giveBack: () => void;
}

/** The events that wait for one subscriber, and those results of them that exist already. The queue keeps their order. */
export class Ahead {
  private readonly early = new Map<object, Early>();
  private hasEnded = false;

  /** `waiting`: the next events, which stay in the queue. */
  constructor(readonly waiting: (most: number) => readonly object[] = () => []) {}

  /** Keeps a result until its event comes; then, or when the subscriber leaves, its memory is given back. */
  keep(event: object, written: Written, giveBack: () => void): void {
    if (this.hasEnded) return giveBack();
    this.early.get(event)?.giveBack();
    this.early.set(event, { written, giveBack });
  }

  /** The result of the event that came from the queue; undefined if it is still to be executed. */
  take(event: object): Written | undefined {
    const found = this.early.get(event);
    this.early.delete(event);
    found?.giveBack();
    return found?.written;
  }

  end(): void {
    this.hasEnded = true;
    for (const { giveBack } of this.early.values()) giveBack();
    this.early.clear();
  }
}
