import { type DocumentNode, execute, type ExecutionResult } from 'graphql';
import { type Answer, type Answers, NEVER } from '../../../platform/admission/answers.js';
import { FairShare } from '../../../platform/admission/fair-share.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { LONG_BYTES, LongWork } from '../../../platform/admission/long-work.js';
import { accountsAtWork, workFor } from '../../../platform/admission/work.js';
import { RequestContext } from '../../../platform/context.js';
import { slicesFor } from '../../../platform/graphql/slices.js';
import { isDatabaseAway, toAppError } from '../../../platform/errors.js';
import { jsonSize } from '../../../platform/json/json-size.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { IntegrationStatusChange } from '../../../features/integrations/changes/integration-change.entity.js';
import { finishEvent, inResult } from '../errors.js';
import { Ahead } from './ahead.js';
import { type Audience, CHEAP, nameOf, reachOf, type SubscriptionArgs } from './audience.js';
import { CostlyEvents, type Effort, isCostly } from './costly-events.js';
import { eventText } from './event-text.js';
import { KeptResults, type Result, RESULT_BYTES, type Written } from './kept-results.js';

const RETRY_MS = 500;
/** Milliseconds that an event waits for an unavailable database before it is sent with the error. */
const PATIENCE_MS = 60_000;
/** Concurrent executions per account: each one holds the data that it has read. */
const UNDER_WAY = 32;
/** The same while other accounts have work, which comes in between: each takes some milliseconds of the event loop. */
const UNDER_WAY_IN_COMPANY = 2;
/** A pass that takes longer is followed by one of half as many events, in milliseconds. */
const PASS_MS = 20;
/** Memory of one value while its result is built and written, in bytes. */
export const VALUE_BYTES = 128;
/** Memory for results whose events still wait in their queues, of all accounts; in bytes. */
const AHEAD_BYTES = 33_554_432;

/** An event of a pass. Its text is empty until it is written. */
interface Entry {
  readonly event: object;
  readonly written: Written;
  readonly result: Result;
}

/** `alone`: the first event is to be executed without the others; `away`: later. */
type PassEnd = 'written' | 'alone' | 'away';

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
  private readonly ahead = new FairShare(AHEAD_BYTES);
  private moments = 0;
  private readonly events: Lanes;
  /** Status changes of integrations come at once: they do not wait behind other events of their account. */
  private readonly statusChanges = new Lanes(UNDER_WAY);
  private readonly costly: CostlyEvents;

  constructor(
    private readonly answers: Answers,
    private readonly logger: Logger,
    private readonly long = new LongWork(),
    isInCompany: () => boolean = () => accountsAtWork.isMixed,
    private readonly now: () => number = () => performance.now(),
    costly?: CostlyEvents,
  ) {
    this.costly = costly ?? new CostlyEvents(isInCompany);
    this.events = new Lanes(() => (isInCompany() ? UNDER_WAY_IN_COMPANY : UNDER_WAY));
  }

  /** Bytes of results kept for subscribers that have not reached their event yet. */
  get kept(): number {
    return this.results.inUse;
  }

  /** Bytes of results whose events still wait in the queues of their subscribers. */
  get aheadBytes(): number {
    return this.ahead.inUse;
  }

  /** Adds a subscriber; it must call `leave` once. */
  join({ contextValue, cost = CHEAP, ...operation }: SubscriptionArgs): Audience {
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
    const audience: Audience = { operation, requestId, caller, cost, members: 1, reach: 1, leave };
    if (name !== undefined) named.set(name, audience);
    return audience;
  }

  /**
   * The result of an event, from an execution that began after the moment `since`: a subscriber whose previous result
   * ended at that moment never sees links go back in time. Some of the events that wait behind it are executed in the
   * same pass, so that their links are read together.
   */
  async give(audience: Audience, event: object, since: number, ahead = new Ahead()): Promise<Written> {
    for (let known = this.known(audience, event, since); known !== undefined;) {
      const written = await known.done;
      if (written.text !== '') return written;
      known = this.known(audience, event, since);
    }
    const hasRoom = this.ahead.hasRoom(audience.caller.accountId);
    const waiting = hasRoom && audience.reach > 1 ? ahead.waiting(audience.reach - 1) : [];
    const behind = waiting.filter((each) => this.known(audience, each, since) === undefined);
    const pass = [event, ...behind].map((each): Entry => ({ event: each, written: emptyResult(), result: {} }));
    // Also after a failure: its result would stay that of the event for all members.
    const done = this.run(audience, pass).finally(() => this.keep(audience, pass, ahead));
    for (const { event: each, written, result } of pass) {
      result.shared = { written, done: done.then(() => written) };
      result.shared.done.catch(() => undefined);
      this.resultsOf(each).set(audience, result);
    }
    await done;
    return pass[0]!.written;
  }

  private known(audience: Audience, event: object, since: number): Result['shared'] {
    const known = this.ofEvents.get(event)?.get(audience)?.shared;
    // The results of a pass belong to the same moment.
    return known !== undefined && (known.written.began > since || known.written.ended === since) ? known : undefined;
  }

  private resultsOf(event: object): Map<Audience, Result> {
    const known = this.ofEvents.get(event) ?? new Map<Audience, Result>();
    this.ofEvents.set(event, known);
    return known;
  }

  /** Keeps the results for the other members; a single member has the first one already. */
  private keep(audience: Audience, pass: readonly Entry[], ahead: Ahead): void {
    const { members, caller } = audience;
    for (const [index, { event, written, result }] of pass.entries()) {
      if (members > 1 && written.text !== '') this.results.keep(result, written);
      else result.shared = undefined;
      if (index === 0 || written.text === '') continue;
      const giveBack = this.ahead.tryTake(caller.accountId, RESULT_BYTES + written.text.length);
      if (giveBack !== undefined) ahead.keep(event, written, giveBack);
    }
  }

  /**
   * Executes again while links can't be read because the database is unavailable: a listener would take the error for
   * the event, and the change would be lost.
   */
  private async run(audience: Audience, entries: readonly Entry[]): Promise<void> {
    const started = performance.now();
    for (let pass = entries; ; pass = pass.slice(0, 1)) {
      const isPatient = performance.now() - started < PATIENCE_MS;
      const end = await this.turnOf(audience, pass, (effort) => this.execute(audience, pass, isPatient, effort));
      if (end === 'written') return;
      if (end === 'away') await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  private turnOf<T>(
    { caller, cost }: Audience,
    pass: readonly Entry[],
    work: (effort?: Effort) => Promise<T>,
  ): Promise<T> {
    if (isCostly(cost)) return this.costly.run(caller.accountId, cost, pass.length, work);
    const lanes = pass[0]!.event instanceof IntegrationStatusChange ? this.statusChanges : this.events;
    return lanes.run(caller.accountId, () => {
      // Past events come by the hundred, and none is refused. A change of a connection waits for nothing.
      const turn = lanes === this.events ? this.long.results.take(caller.accountId, cost.values, Infinity) : undefined;
      return turn === undefined ? work() : turn.then(() => work());
    });
  }

  /** Executes events and writes their results, at least the first one, or none. */
  private async execute(
    audience: Audience,
    pass: readonly Entry[],
    isPatient: boolean,
    effort?: Effort,
  ): Promise<PassEnd> {
    const answer = this.answers.begin(audience.caller.accountId);
    try {
      if (effort !== undefined) await answer.reserve(pass.length * audience.cost.values * VALUE_BYTES, NEVER);
      return await this.executeFor(answer, audience, pass, isPatient, effort);
    } finally {
      answer.end();
    }
  }

  private async executeFor(
    answer: Answer,
    audience: Audience,
    pass: readonly Entry[],
    isPatient: boolean,
    effort?: Effort,
  ): Promise<PassEnd> {
    const { operation, requestId, caller, cost, members } = audience;
    const began = (this.moments += 1);
    for (const { written } of pass) written.began = began;
    // A context per pass, since each one must read its links again, and several may be in progress.
    const slices = effort && slicesFor(this.long, caller.accountId, effort.now);
    const contextValue = Object.assign(new RequestContext(requestId, caller), { slices });
    if (members === 0) {
      this.costly.refund(caller.accountId, cost, pass.length);
      return this.write(audience, [pass[0]!], [{}], contextValue);
    }
    this.executions += pass.length;
    const startedAt = this.now();
    effort?.count();
    const work = async () =>
      Promise.all(pass.map(async ({ event }) => execute({ ...operation, contextValue, rootValue: event })));
    const results = await workFor(caller.accountId, work, { answer });
    slices?.stop();
    this.costly.giveBack(caller.accountId, cost, results);
    // Perhaps because of the others: they may have read too much together.
    if (pass.length > 1 && results[0]!.errors !== undefined) {
      audience.reach = 1;
      return 'alone';
    }
    const isGone = isAway(results[0]!);
    if (isGone && audience.members > 0 && isPatient) return 'away';
    // Still inside the account's limit, because a result that waits to be serialized takes memory.
    if (isLong(results[0]!)) await this.long.turn(caller.accountId);
    effort?.count();
    const end = this.write(audience, pass, results, contextValue);
    // A later subscriber may find the database available again.
    if (isGone) pass[0]!.written.began = 0;
    if (this.now() - startedAt > PASS_MS) audience.reach = Math.max(1, pass.length >> 1);
    return end;
  }

  /** Writes the first result, and those behind it that are short and have no errors; the others are executed again. */
  private write(
    audience: Audience,
    pass: readonly Entry[],
    results: readonly ExecutionResult[],
    context: RequestContext,
  ): PassEnd {
    let [bytes, count] = [0, 0];
    for (const [index, result] of results.entries()) {
      const isForNow = result.errors === undefined && bytes < LONG_BYTES && !isLong(result);
      if (index > 0 && !isForNow) break;
      pass[index]!.written.text = this.textOf(result, context);
      bytes += pass[index]!.written.text.length;
      count += 1;
    }
    const ended = (this.moments += 1);
    for (const { written } of pass) written.ended = ended;
    const isGrowing = count === pass.length && bytes < LONG_BYTES;
    if (!isGrowing) audience.reach = Math.max(1, Math.min(count, audience.reach >> 1));
    else if (count === audience.reach) audience.reach = Math.min(reachOf(audience.cost), 2 * count);
    return 'written';
  }

  /** An event that cannot be written comes as an error: an exception would end the whole socket. */
  private textOf(result: ExecutionResult, context: RequestContext): string {
    try {
      return eventText(finishEvent(this.logger, context, result));
    } catch (error) {
      return eventText(finishEvent(this.logger, context, inResult(error)));
    }
  }
}

function emptyResult(): Written {
  return { began: Infinity, ended: -1, text: '' };
}

function isLong({ data }: ExecutionResult): boolean {
  return jsonSize(data, LONG_BYTES) > LONG_BYTES;
}

/** Whether a result has errors because the database was unavailable or too slow. */
export function isAway({ errors = [] }: ExecutionResult): boolean {
  return errors.some(
    ({ originalError }) =>
      originalError && (isDatabaseAway(originalError) || toAppError(originalError).code === 'unavailable'),
  );
}
