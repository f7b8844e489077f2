import { performance } from 'node:perf_hooks';
import { accountsAtWork } from './work.js';

/** How much an account may compute before it rests, in company; in milliseconds. */
export const SLICE_MS = 8;
/** The longest rest, in milliseconds. */
const MAX_REST_MS = 1_000;
/** The expected cost of the first execution of a lane, in milliseconds. */
const UNKNOWN_MS = 4;
/** The part of the latest execution in the expected cost of the next one. */
const LATEST = 1 / 4;

/** The time that passes, and the CPU time that the process has used; both in milliseconds. */
export interface EventClock {
  now(): number;
  busy(): number;
  /** Calls `then` after this time. */
  after(milliseconds: number, then: () => void): void;
}

const CLOCK: EventClock = {
  now: () => performance.now(),
  busy: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  after: (milliseconds, then) => void setTimeout(then, milliseconds).unref(),
};

interface Lane {
  running: number;
  waiting: (() => void)[];
  /** Milliseconds to rest: time in which it computed, minus time in which it rested or the process did not compute. */
  debt: number;
  /** Milliseconds computed since an execution last ended. */
  spent: number;
  /** The expected milliseconds of an execution. */
  mean: number;
  /** When `debt` was right. */
  at: number;
  busyAt: number;
  isResting: boolean;
}

/**
 * Limits the executions of events by lanes of accounts. At most `width` of a lane run at once. In company a lane begins
 * only as many as compute for a few milliseconds, and then rests for as long as they took, so that other work of the
 * process gets half of the time. Idle time counts as a rest: a process with little to do delays no event. Each lane
 * keeps its order; a waiting execution costs one function.
 */
export class EventTurns {
  private readonly lanes = new Map<string, Lane>();
  /** Lanes with executions under way: what the process computes is divided between them. */
  private active = 0;
  private busyAt = 0;
  private computed = 0;

  constructor(
    private readonly width: number,
    private readonly isInCompany: () => boolean = () => accountsAtWork.isMixed,
    private readonly clock: EventClock = CLOCK,
  ) {
    this.busyAt = clock.busy();
  }

  /** The CPU time of the process, divided by the lanes that used it; in milliseconds. */
  get spent(): number {
    const now = this.clock.busy();
    this.computed += (now - this.busyAt) / Math.max(1, this.active);
    this.busyAt = now;
    return this.computed;
  }

  /** Settles as the work does, once it had its turn. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lane = this.laneOf(name);
    if (lane.waiting.length > 0 || !this.admits(lane)) {
      await new Promise<void>((begin) => {
        lane.waiting.push(begin);
        this.serve(name, lane);
      });
    } else this.begin(lane);
    try {
      return await work();
    } finally {
      this.end(name, lane);
    }
  }

  private begin(lane: Lane): void {
    this.settle(lane);
    if (lane.running === 0) this.active += 1;
    lane.running += 1;
  }

  private laneOf(name: string): Lane {
    const at = { at: this.clock.now(), busyAt: this.spent };
    const lane = this.lanes.get(name) ?? {
      running: 0,
      waiting: [],
      debt: 0,
      spent: 0,
      mean: UNKNOWN_MS,
      ...at,
      isResting: false,
    };
    this.lanes.set(name, lane);
    return lane;
  }

  private admits(lane: Lane): boolean {
    if (lane.running === this.width) return false;
    this.settle(lane);
    if (!this.isInCompany()) return true;
    const expected = lane.debt + (lane.running + 1) * lane.mean;
    return expected <= SLICE_MS || (lane.running === 0 && lane.debt <= 0);
  }

  /** Brings the debt up to date. */
  private settle(lane: Lane): void {
    const [now, busyNow] = [this.clock.now(), this.spent];
    const passed = now - lane.at;
    const computed = lane.running > 0 ? Math.max(0, busyNow - lane.busyAt) : 0;
    lane.debt = Math.min(MAX_REST_MS, Math.max(0, lane.debt + 2 * computed - Math.max(passed, computed)));
    lane.spent += computed;
    lane.at = now;
    lane.busyAt = busyNow;
  }

  private end(name: string, lane: Lane): void {
    this.settle(lane);
    lane.mean += (lane.spent - lane.mean) * LATEST;
    lane.spent = 0;
    lane.running -= 1;
    if (lane.running === 0) this.active -= 1;
    this.serve(name, lane);
  }

  /** Begins the executions whose turn it is. */
  private serve(name: string, lane: Lane): void {
    while (lane.waiting.length > 0 && this.admits(lane)) {
      this.begin(lane);
      lane.waiting.shift()!();
    }
    if (lane.running > 0 || lane.isResting) return;
    this.settle(lane);
    if (lane.waiting.length === 0 && lane.debt <= 0) return void this.lanes.delete(name);
    lane.isResting = true;
    this.clock.after(Math.ceil(lane.debt), () => {
      lane.isResting = false;
      this.serve(name, lane);
    });
  }
}
