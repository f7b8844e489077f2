import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionResult } from 'graphql';
import { NEVER } from '../../../platform/admission/answers.js';
import { ByteRates } from '../../../platform/admission/byte-rates.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { nextTurn } from '../../../platform/admission/pace.js';
import { JsonText } from '../../../platform/json/json-text.js';
import { VALUES_PER_WEIGHT } from '../documents/weights.js';

/** Events of a document of at most so many values never wait: one takes two milliseconds. */
export const CHEAP_VALUES = 250;
/** The values that costly events of an account may have in a second, in a process: they keep it busy for 0.2 s. */
export const VALUES_PER_SECOND = 20_000;
/** Costly executions of an account at the same time while it is alone. */
const UNDER_WAY = 32;
/** The longest rest, in milliseconds: a large event takes a second of a busy machine. */
const MAX_REST_MS = 5_000;

/** The largest cost of one event of an operation. */
export interface EventCost {
  values: number;
  /** As for the rate limit. Above 1 it has many objects, or statements that are expensive. */
  weight: number;
}

/** The time that an execution computes. The rest of its time it waits: for memory, turns or the database. */
export class Effort {
  /** Milliseconds, up to the last turn of the event loop. */
  spent = 0;
  private isUnderWay = false;

  constructor(private readonly clock: () => number) {}

  /** Counts this turn of the event loop from now on. */
  count(): void {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    const began = this.clock();
    setImmediate(() => {
      this.isUnderWay = false;
      this.spent += this.clock() - began;
    });
  }

  /** The clock of an execution, which reads it in each turn of the event loop in which it computes. */
  readonly now = (): number => {
    this.count();
    return this.clock();
  };
}

/**
 * Executes the events of costly documents: a subscription is weighed once, but each event executes its document. An
 * account has a rate of values for them; beyond it events wait, and none is refused. While other accounts have work, one
 * event is executed at a time, and the process rests as long as it computed.
 */
export class CostlyEvents {
  private readonly lanes: Lanes;
  private readonly rates: ByteRates;

  constructor(
    private readonly isInCompany: () => boolean,
    private readonly now: () => number = () => performance.now(),
    private readonly rest: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds),
  ) {
    this.lanes = new Lanes(() => (isInCompany() ? 1 : UNDER_WAY));
    this.rates = new ByteRates(VALUES_PER_SECOND, now);
  }

  /** Runs the execution of `count` events, in the turn of their account. Settles before the rest. */
  run<T>(accountId: string, cost: EventCost, count: number, work: (effort: Effort) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    void this.lanes.run(accountId, async () => {
      await this.rates.turn(accountId, NEVER);
      this.rates.spend(accountId, count * priceOf(cost));
      const effort = new Effort(this.now);
      await work(effort).then(resolve, reject);
      if (!this.isInCompany()) return;
      await nextTurn();
      await this.rest(Math.min(MAX_REST_MS, effort.spent));
    });
    return promise;
  }

  /** Gives back the price of `count` events that were not executed. */
  refund(accountId: string, cost: EventCost, count: number): void {
    if (isCostly(cost)) this.rates.spend(accountId, -count * priceOf(cost));
  }

  /** Gives back the values that results do not have. Weight above 1, and errors, may come of work without values. */
  giveBack(accountId: string, cost: EventCost, results: readonly ExecutionResult[]): void {
    if (!isCostly(cost) || cost.weight > 1) return;
    const most = priceOf(cost);
    const unused = results.map(({ data, errors }) => (errors === undefined ? most - valuesIn(data) : 0));
    this.rates.spend(accountId, -unused.reduce((sum, each) => sum + each, 0));
  }
}

/** Whether the events of a document wait for their turn. */
export function isCostly({ values, weight }: EventCost): boolean {
  return values > CHEAP_VALUES || weight > 1;
}

function priceOf({ values, weight }: EventCost): number {
  return weight > 1 ? Math.max(values, weight * VALUES_PER_WEIGHT) : values;
}

/** The values in the data of a result. */
function valuesIn(data: unknown): number {
  if (typeof data !== 'object' || data === null || data instanceof JsonText) return 1;
  if (Array.isArray(data)) return data.reduce<number>((sum, each) => sum + valuesIn(each), 0);
  return Object.values(data).reduce<number>((sum, each) => sum + valuesIn(each), 1);
}
