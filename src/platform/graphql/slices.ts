import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isCompositeType,
  isObjectType,
} from 'graphql';
import { type LongWork } from '../admission/long-work.js';
import { nextTurn } from '../admission/pace.js';
import { accountsAtWork } from '../admission/work.js';
import { isInTransaction, responseLane } from '../db/transaction-context.js';

/** The longest piece of an execution without a pause, in milliseconds. */
const SLICE_MS = 5;
/** What the slices inside of a transaction wait together for their turns, in milliseconds: it has rows locked. */
export const LOCKED_PATIENCE_MS = 5_000;

type Resolver = GraphQLFieldResolver<unknown, { slices?: Slices | undefined } | undefined>;

/** Introspection has the same field objects in every schema of a process. */
const sliced = new WeakSet<object>();

/**
 * Lets fields that lead to objects hand them out in slices where the context of an execution has them. Otherwise
 * graphql-js executes all that was read at once in one piece, and nothing changes.
 */
export function sliceResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = (field.resolve ?? defaultFieldResolver) as Resolver;
      if (sliced.has(field) || !isCompositeType(getNamedType(field.type))) continue;
      sliced.add(field);
      const inSlices: Resolver = (source, given, context, info) => {
        const result = resolve(source, given, context, info);
        return context?.slices === undefined ? result : context.slices.of(result);
      };
      field.resolve = inSlices;
    }
  }
}

/**
 * The pace of one execution. Its objects are completed one after another, in the order in which they were found, and
 * after each slice other work of the process has its turn.
 */
export class Slices {
  /** The slices so far. */
  count = 0;
  private waiting: (() => void)[] = [];
  private isAtWork = false;
  private hasEnded = false;
  /** Only an execution that filled one slice waits for further ones. */
  private isLong = false;
  private end = -Infinity;

  /** `turn`: waits, beyond the next turn of the event loop, until the next slice may begin. */
  constructor(
    private readonly turn: () => Promise<void> | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Ends the execution. Objects may still wait after the result: an error near the root makes it null at once. They are
   * not completed, because no client would receive them.
   */
  stop(): void {
    this.hasEnded = true;
    this.waiting = [];
  }

  /** A result with its objects, or itself, as promises. */
  of(result: unknown): unknown {
    if (isPromise(result)) return result.then((value) => this.of(value));
    if (Array.isArray(result)) return result.map((item) => this.ready(item));
    return typeof result === 'object' && result !== null ? this.ready(result) : result;
  }

  /** A rejected promise must not wait for its turn without a handler. */
  private ready(item: unknown): Promise<unknown> {
    if (isPromise(item)) return item.then((value) => this.ready(value));
    return new Promise((resolve) => {
      if (this.hasEnded) return;
      this.waiting.push(() => resolve(item));
      if (!this.isAtWork) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.isAtWork = true;
    while (this.waiting.length > 0) {
      const found = this.waiting;
      this.waiting = [];
      for (const begin of found) {
        if (this.now() >= this.end) await this.beginSlice();
        if (this.hasEnded) return;
        begin();
        // Completes the object, as far as it needs nothing that is still to be read.
        await Promise.resolve();
      }
    }
    this.isAtWork = false;
  }

  private async beginSlice(): Promise<void> {
    if (this.end !== -Infinity) this.isLong = true;
    if (this.isLong) {
      await nextTurn();
      await this.turn();
    }
    this.count += 1;
    this.end = this.now() + SLICE_MS;
    // What is found in a later turn of the event loop begins another slice.
    setImmediate(() => (this.end = -Infinity));
  }
}

/**
 * Slices that take turns with other accounts, while those have work. Inside of a unit of work they have a lane of their
 * own, so that they do not wait for other results of the account, and after a while they only rest.
 */
export function slicesFor(long: LongWork, accountId: string, now: () => number = () => performance.now()): Slices {
  let patience = LOCKED_PATIENCE_MS;
  const turn = async (): Promise<void> => {
    if (!isInTransaction()) return long.turn(responseLane(accountId));
    if (patience <= 0) return sleep(SLICE_MS);
    const asked = now();
    await long.turn(responseLane(accountId));
    patience -= now() - asked;
  };
  return new Slices(() => (accountsAtWork.isMixed ? turn() : undefined), now);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
