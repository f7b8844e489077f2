/** Yields to the event loop, so that other work of the process can run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Counts the steps of long work of one account, and divides it into turns of the event loop. */
export class Pace {
  private left: number;

  constructor(private readonly stepsAtOnce: number) {
    this.left = stepsAtOnce;
  }

  step(): void {
    this.left -= 1;
  }

  /** True when it is time for `rest`. */
  get isTired(): boolean {
    return this.left <= 0;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.left = this.stepsAtOnce;
  }
}
