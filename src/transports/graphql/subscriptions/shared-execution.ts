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
/** How long an event is held back for a database that is away, before it is given with the error. */
const PATIENCE_MS = 60_000;
/** Executions of an account that are under way at once: each holds what it has read. */
const UNDER_WAY = 32;

/** Everybody in this process who asked the same and may see the same. */
export interface Audience {
  readonly operation: Omit<ExecutionArgs, 'contextValue'>;
  /** Of the first who came; names the request in the log. */
  readonly requestId: string;
  readonly caller: Caller;
  members: number;
  readonly leave: () => void;
}

/**
 * Executes an event once for all its subscribers, and writes the JSON of the result once. GraphQL servers execute for
 * each subscriber by itself; of ten thousand who wait for one callback the last would hear of it seconds after the first.
 *
 * The same is: parsed document, operation name, variables, account, and scope of the key or that it is a person. What a connect session sees
 * hangs on the session, which has few listeners: they share with nobody. The same event is the same object, which is
 * what those who listened when it was committed were handed; one that was read from the past for a single listener is
 * executed for that one. A result goes when nobody holds its event any more.
 */
export class SharedExecution {
  /** Events that were executed since the start. */
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

  /** Bytes of results that are kept for those who have not come to their event yet. */
  get kept(): number {
    return this.results.inUse;
  }

  /** One more who subscribes so. Must `leave` once. */
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
   * The result of an event. It began after the moment `since`, so that who takes the end of the last one for that never
   * sees links go back in time.
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

  /** One who shares with nobody has it already. */
  private keep(result: Result, written: Written, { members }: Audience): void {
    if (members > 1) this.results.keep(result, written);
    else result.shared = undefined;
  }

  /**
   * An event whose links can't be read because the database is away is tried again: a listener would take the error for
   * the event, and the change be lost.
   */
  private async run(audience: Audience, event: object, written: Written): Promise<Written> {
    const { operation, requestId, caller } = audience;
    const started = performance.now();
    for (;;) {
      written.began = this.moments += 1;
      // Each execution reads its links anew, and several may be under way.
      const contextValue = new RequestContext(requestId, caller);
      const result = await this.lanes.run(caller.accountId, async () => {
        if (audience.members === 0) return {};
        this.executions += 1;
        const answer = this.answers.begin(caller.accountId);
        const work = async () => execute({ ...operation, contextValue, rootValue: event });
        const done = await workFor(caller.accountId, work, { answer }).finally(() => answer.end());
        // Within the lane: what waits to be written is held.
        if (jsonSize(done.data, LONG_BYTES) > LONG_BYTES) await this.long.turn(caller.accountId);
        return done;
      });
      if (isAway(result) && audience.members > 0 && performance.now() - started < PATIENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        continue;
      }
      // Who comes later may find the database there.
      if (isAway(result)) written.began = 0;
      written.text = eventText(finishEvent(this.logger, contextValue, result));
      written.ended = this.moments += 1;
      return written;
    }
  }
}

/** Whether the errors of a result are there because the database could not be asked, or not in time. */
export function isAway({ errors = [] }: ExecutionResult): boolean {
  return errors.some(
    ({ originalError }) =>
      originalError && (isDatabaseAway(originalError) || toAppError(originalError).code === 'unavailable'),
  );
}

/** What makes two subscriptions of one document the same; undefined when none is the same as this. */
function nameOf({ operationName, variableValues }: Audience['operation'], caller: Caller): string | undefined {
  if (caller.kind === 'connect_session') return undefined;
  const sees = caller.kind === 'key' ? caller.scope : caller.kind;
  return JSON.stringify([caller.accountId, sees, operationName ?? null, variableValues]);
}
