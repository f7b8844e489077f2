import { type DocumentNode, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { type Answers } from '../../../platform/admission/answers.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { LONG_BYTES, LongWork } from '../../../platform/admission/long-work.js';
import { workFor } from '../../../platform/admission/work.js';
import { type Caller, RequestContext } from '../../../platform/context.js';
import { isDatabaseAway, toAppError } from '../../../platform/errors.js';
import { jsonSize } from '../../../platform/json/json-size.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { finishEvent } from '../errors.js';
import { eventText } from './event-text.js';
import { KeptResults, type Result, type Written } from './kept-results.js';

const RETRY_MS = 500;
/** Milliseconds that an event waits for an unavailable database before it is sent with the error. */
const PATIENCE_MS = 60_000;
/** Concurrent executions per account: each one holds the data that it has read. */
const UNDER_WAY = 32;

/** All subscribers in this process with the same operation and the same permissions. */
export interface Audience {
  readonly operation: Omit<ExecutionArgs, 'contextValue'>;
  /** Id of the first subscriber's request, for the log. */
  readonly requestId: string;
  readonly caller: Caller;
  members: number;
  readonly leave: () => void;
}

/**
 * Executes an event once for all its subscribers, and writes the JSON of the result once. GraphQL servers execute it
 * once per subscriber: with ten thousand waiting for one callback, the last would receive it seconds after the first.
 *
 * Subscribers share a result when parsed document, operation name, variables, account and permissions (the key's scope,
 * or being a person) are equal. Results of a connect session depend on the session, which has few listeners, so they
 * are never shared. Events are compared by identity: all listeners at the time of the commit receive the same object,
 * and an event that one listener reads from the past is executed for that listener only. A result is released with its
 * event.
 */
export class SharedExecution {
  /** Executions since the start. */
  executions = 0;

  private readonly audiences = new WeakMap<DocumentNode, Map<string, Audience>>();
  private readonly ofEvents = new WeakMap<object, Map<Audience, Result>>();
  private readonly results = new KeptResults();
  private readonly lanes = new Lanes(UNDER_WAY);
  private moments = 0;

  constructor(
    private readonly answers: Answers,
    private readonly logger: Logger,
    private readonly long = new LongWork(),
  ) {}

  /** Bytes of results kept for subscribers that have not reached their event yet. */
  get kept(): number {
    return this.results.inUse;
  }

  /** Adds a subscriber; it must call `leave` once. */
  join({ contextValue, ...operation }: ExecutionArgs): Audience {
    const { requestId, caller } = contextValue as RequestContext;
    const named = this.audiences.get(operation.document) ?? new Map<string, Audience>();
    this.audiences.set(operation.document, named);
    const name = nameOf(operation, caller);
    const known = name === undefined ? undefined : named.get(name);
    if (known !== undefined) {
      known.members += 1;
      return known;
    }
    const leave = (): void => {
      audience.members -= 1;
      if (audience.members === 0 && name !== undefined) named.delete(name);
    };
    const audience: Audience = { operation, requestId, caller, members: 1, leave };
    if (name !== undefined) named.set(name, audience);
    return audience;
  }

  /**
   * The result of an event, from an execution that began after the moment `since`: a subscriber whose previous result
   * ended at that moment never sees links go back in time.
   */
  async give(audience: Audience, event: object, since: number): Promise<Written> {
    let shared = this.ofEvents.get(event);
    if (shared === undefined) this.ofEvents.set(event, (shared = new Map<Audience, Result>()));
    const known = shared.get(audience)?.shared;
    if (known !== undefined && known.written.began > since) return known.done;
    const written: Written = { began: 0, ended: 0, text: '' };
    const done = this.run(audience, event, written);
    const result: Result = { shared: { written, done } };
    shared.set(audience, result);
    void done.then(
      () => this.keep(result, written, audience),
      () => undefined,
    );
    return done;
  }

  /** Keeps the result for the other members; a single member already has it. */
  private keep(result: Result, written: Written, { members }: Audience): void {
    if (members > 1) this.results.keep(result, written);
    else result.shared = undefined;
  }

  /**
   * Executes again while links can't be read because the database is unavailable: a listener would take the error for
   * the event, and the change would be lost.
   */
  private async run(audience: Audience, event: object, written: Written): Promise<Written> {
    const { operation, requestId, caller } = audience;
    const started = performance.now();
    for (;;) {
      written.began = this.moments += 1;
      // A context per execution, since each one must read its links again, and several may be in progress.
      const contextValue = new RequestContext(requestId, caller);
      const result = await this.lanes.run(caller.accountId, async () => {
        if (audience.members === 0) return {};
        this.executions += 1;
        const answer = this.answers.begin(caller.accountId);
        const work = async () => execute({ ...operation, contextValue, rootValue: event });
        const done = await workFor(caller.accountId, work, { answer }).finally(() => answer.end());
        // Still inside the account's limit, because a result that waits to be serialized takes memory.
        if (jsonSize(done.data, LONG_BYTES) > LONG_BYTES) await this.long.turn(caller.accountId);
        return done;
      });
      if (isAway(result) && audience.members > 0 && performance.now() - started < PATIENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        continue;
      }
      // A later subscriber may find the database available again.
      if (isAway(result)) written.began = 0;
      written.text = eventText(finishEvent(this.logger, contextValue, result));
      written.ended = this.moments += 1;
      return written;
    }
  }
}

/** Whether a result has errors because the database was unavailable or too slow. */
export function isAway({ errors = [] }: ExecutionResult): boolean {
  return errors.some(
    ({ originalError }) =>
      originalError && (isDatabaseAway(originalError) || toAppError(originalError).code === 'unavailable'),
  );
}

/** The key by which equal subscriptions of one document share; undefined when this one can't be shared. */
function nameOf({ operationName, variableValues }: Audience['operation'], caller: Caller): string | undefined {
  if (caller.kind === 'connect_session') return undefined;
  const sees = caller.kind === 'key' ? caller.scope : caller.kind;
  return JSON.stringify([caller.accountId, sees, operationName ?? null, variableValues]);
}
