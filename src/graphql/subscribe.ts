import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { type RequestContext } from '../context.js';
import { toAppError } from '../errors.js';

const RETRY_MS = 500;
/** How long an event is held back for a database that is away, before it is given with the error. */
const PATIENCE_MS = 60_000;

/**
 * Like graphql-js' `subscribe`, except that each event reads its links anew, and that one whose links can't be read
 * because the database is away is tried again: a listener would take the error for the event, and the change be lost.
 */
export async function subscribe(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? new EventResults(args, source[Symbol.asyncIterator]()) : source;
}

/** The results of a source's events. No generator: its `return()` would wait for the read that is under way. */
class EventResults implements AsyncGenerator<ExecutionResult> {
  private ended = false;

  constructor(
    private readonly args: ExecutionArgs,
    private readonly events: AsyncIterator<unknown>,
  ) {}

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const event = await this.events.next();
    if (event.done) return { value: undefined, done: true };
    return { value: await this.resultOf(event.value), done: false };
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.ended = true;
    await this.events.return?.();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async resultOf(event: unknown): Promise<ExecutionResult> {
    const started = performance.now();
    for (;;) {
      (this.args.contextValue as RequestContext).forgetLoaded();
      const result = await execute({ ...this.args, rootValue: event });
      if (!isAway(result) || this.ended || performance.now() - started > PATIENCE_MS) return result;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
}

/** Whether the errors of a result are there because the database could not be asked. */
export function isAway({ errors = [] }: ExecutionResult): boolean {
  return errors.some(({ originalError }) => originalError && toAppError(originalError).code === 'unavailable');
}
