import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { workFor } from '../../../platform/admission/work.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Audience, type SharedExecution } from './shared-execution.js';
import { type SubscriptionSpace } from './subscription-space.js';

const END = { value: undefined, done: true } as const;

/** Like graphql-js' `subscribe`, except that results are JSON texts, which subscribers that asked the same share. */
export async function subscribe(
  args: ExecutionArgs,
  execution: SharedExecution,
  space: SubscriptionSpace,
): Promise<EventTexts | ExecutionResult> {
  const { accountId } = args.contextValue as RequestContext;
  let release: (() => void) | undefined;
  try {
    release = space.begin(args);
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

/** What graphql-js itself throws ends this subscription, and not all others of its socket. */
function inResult(thrown: unknown): ExecutionResult {
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
}

/** The results of a source's events. No generator: its `return()` would wait for the result that is under way. */
export class EventTexts implements AsyncIterableIterator<string> {
  private since = 0;
  private ended = false;
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly events: AsyncIterator<unknown>,
    private readonly execution: SharedExecution,
    private readonly audience: Audience,
    private readonly onEnd: () => void,
  ) {}

  async next(): Promise<IteratorResult<string, undefined>> {
    const event = await this.events.next().catch((error: unknown) => this.fail(error));
    if (event.done) return this.return();
    const written = await Promise.race([
      this.execution.give(this.audience, event.value as object, this.since),
      new Promise<undefined>((resolve) => (this.giveUp = () => resolve(undefined))),
    ]);
    this.giveUp = undefined;
    if (written === undefined || this.ended) return END;
    this.since = written.ended;
    return { value: written.text, done: false };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    if (!this.ended) {
      this.ended = true;
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
 * Hands the next text on. A function by itself: a loop that waits for the next text would hold the last one until then.
 * @returns false at the end.
 */
export async function handOn(texts: AsyncIterator<string>, take: (text: string) => Promise<unknown>): Promise<boolean> {
  const text = await texts.next();
  if (text.done === true) return false;
  await take(text.value);
  return true;
}
