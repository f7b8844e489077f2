import { type EventClock, EventTurns, SLICE_MS } from '../../src/platform/admission/event-turns.js';

/** A clock that a test moves. */
class TestClock implements EventClock {
  private time = 0;
  private computed = 0;
  private readonly timers: { at: number; then: () => void }[] = [];

  now(): number {
    return this.time;
  }

  busy(): number {
    return this.computed;
  }

  after(milliseconds: number, then: () => void): void {
    this.timers.push({ at: this.time + milliseconds, then });
  }

  compute(milliseconds: number): void {
    this.time += milliseconds;
    this.computed += milliseconds;
  }

  async idle(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    for (const timer of this.timers.splice(0)) {
      if (timer.at <= this.time) timer.then();
      else this.timers.push(timer);
    }
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns of events', () => {
  let clock: TestClock;
  let isMixed: boolean;
  let turns: EventTurns;
  let begun: string[];

  beforeEach(() => {
    clock = new TestClock();
    isMixed = true;
    begun = [];
    turns = new EventTurns(32, () => isMixed, clock);
  });

  /** Begins so many executions of a lane, each of which computes for some milliseconds. */
  const add = async (lane: string, count: number, milliseconds: number) => {
    for (let index = 0; index < count; index += 1) {
      void turns.run(lane, async () => {
        begun.push(lane);
        await settled();
        clock.compute(milliseconds);
      });
    }
    for (let turn = 0; turn < 4 * count; turn += 1) await settled();
  };

  it('let an account in company compute half of the time, in slices', async () => {
    await add('a', 100, SLICE_MS);
    const first = begun.length;
    expect(first).toBe(2);
    for (let turn = 0; begun.length < 100; turn += 1) {
      await clock.idle(1);
      expect(clock.busy()).toBeLessThanOrEqual(clock.now() / 2 + (first + 1) * SLICE_MS);
    }
    expect(clock.now()).toBeLessThanOrEqual(2 * clock.busy() + SLICE_MS);
  });

  it('let an account that is alone begin 32 at once, without rests', async () => {
    isMixed = false;
    await add('a', 100, 20);
    expect([begun.length, clock.now() - clock.busy()]).toEqual([100, 0]);
  });

  it('let no more than 32 of an account run', async () => {
    isMixed = false;
    for (let index = 0; index < 40; index += 1)
      void turns.run('a', () => (begun.push('a'), new Promise(() => undefined)));
    await settled();
    expect(begun).toHaveLength(32);
  });

  it('let an account rest that computed for long, and nobody else', async () => {
    await add('a', 1, 500);
    await add('a', 1, 1);
    await add('b', 1, 1);
    expect(begun).toEqual(['a', 'b']);
    await clock.idle(400);
    expect(begun).toHaveLength(2);
    await clock.idle(100);
    expect(begun).toEqual(['a', 'b', 'a']);
  });

  it('delay nothing while the process is idle in between', async () => {
    for (let index = 0; index < 50; index += 1) {
      await add('a', 1, 3);
      expect(begun).toHaveLength(index + 1);
      await clock.idle(3);
    }
  });

  it('divide what the process computes between the accounts whose events are executed', async () => {
    const ends: (() => void)[] = [];
    for (const lane of ['a', 'b']) void turns.run(lane, () => new Promise<void>((end) => ends.push(end)));
    clock.compute(100);
    for (const end of ends) end();
    await settled();
    await add('a', 1, 0);
    // Each is charged 50 of the 100 ms, which the time itself has paid.
    expect(begun).toEqual(['a']);
  });

  it('keep the order of an account', async () => {
    const order: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      void turns.run('a', async () => {
        order.push(index);
        await settled();
        clock.compute(5);
      });
    }
    for (let turn = 0; turn < 300; turn += 1) await clock.idle(5);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('keep nothing of a lane that has rested', async () => {
    await add('a', 3, 5);
    for (let turn = 0; turn < 300; turn += 1) await clock.idle(5);
    expect((turns as unknown as { lanes: Map<string, unknown> }).lanes.size).toBe(0);
  });
});
