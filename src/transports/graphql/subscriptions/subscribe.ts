import { createSourceEventStream, type ExecutionResult } from 'graphql';
import { workFor } from '../../../platform/admission/work.js';
import { type RequestContext } from '../../../platform/context.js';
import { BoundedQueue } from '../../../platform/notifications/bounded-queue.js';
import { inResult } from '../errors.js';
import { Ahead } from './ahead.js';
import { type Audience, type SubscriptionArgs } from './audience.js';
import { type SharedExecution } from './shared-execution.js';
import { type SubscriptionSpace } from './subscription-space.js';

const END = { value: undefined, done: true } as const;

/** Like graphql-js' `subscribe`, but results are JSON texts, shared by subscribers of the same operation. */
export async function subscribe(
  args: SubscriptionArgs,
  execution: SharedExecution,
  space: SubscriptionSpace,
): Promise<EventTexts | ExecutionResult> {
  const { accountId } = args.contextValue as RequestContext;
  let release: (() => void) | undefined;
  try {
    release = await space.begin(args);
    const source = await workFor(accountId, () => createSourceEventStream(args));
    if (Symbol.asyncIterator in source) {
      return new EventTexts(source[Symbol.asyncIterator](), execution, execution.join(args), release);
    }
    release();
    return source;
  } catch (error) {
    release?.();
    return inResult(error);
  }
}

/** The results of a source's events. Not a generator: its `return()` would wait for the pending result. */
export class EventTexts implements AsyncIterableIterator<string> {
  private since = 0;
  private ended = false;
  private giveUp: (() => void) | undefined;
  private readonly ahead: Ahead;

  constructor(
    private readonly events: AsyncIterator<unknown>,
    private readonly execution: SharedExecution,
    private readonly audience: Audience,
    private readonly onEnd: () => void,
  ) {
    this.ahead = new Ahead((most) => (events instanceof BoundedQueue ? (events.peek(most) as object[]) : []));
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    const event = await this.events.next().catch((error: unknown) => this.fail(error));
    if (event.done) return this.return();
    const written =
      this.ahead.take(event.value as object) ??
      (await Promise.race([
        this.execution.give(this.audience, event.value as object, this.since, this.ahead),
        new Promise<undefined>((resolve) => (this.giveUp = () => resolve(undefined))),
      ]));
    this.giveUp = undefined;
    if (written === undefined || this.ended) return END;
    this.since = written.ended;
    return { value: written.text, done: false };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    if (!this.ended) {
      this.ended = true;
      this.ahead.end();
      this.audience.leave();
      this.onEnd();
      this.giveUp?.();
      await this.events.return?.();
    }
    return END;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async fail(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }
}

/**
 * Passes the next text to `take`. A separate function, because a loop would keep the last text in memory while it waits
 * for the next. @returns false at the end.
 */
export async function handOn(texts: AsyncIterator<string>, take: (text: string) => Promise<unknown>): Promise<boolean> {
  const text = await texts.next();
  if (text.done === true) return false;
  await take(text.value);
  return true;
}
