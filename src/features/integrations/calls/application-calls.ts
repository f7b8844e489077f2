import { setTimeout as sleep } from 'node:timers/promises';
import { nextAttemptAt } from '../../../platform/http/backoff.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { notFoundOrForeign } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { HeldBackError } from '../../../platform/held-back.js';
import { demandNoTransaction, type Outbound } from '../../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { untilAborted } from '../../../platform/http/outbound/call-limits.js';
import { type OutboundResponse } from '../../../platform/http/outbound/outbound-response.js';
import { retryAfter } from '../../../platform/http/outbound/retry-after.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { type AppAccess } from '../tokens/app-access.js';
import { type ConnectionOf } from '../tokens/connections.js';
import { answerOf } from './call-answer.js';
import { type ApplicationResponse, type CallApplicationInput } from './call.inputs.js';
import { type CallRequest, callRequestOf } from './call-request.js';

/** The time for all attempts, in milliseconds. */
export const CALL_MS = 30_000;
/**
 * The time after which a call no longer waits for its connection, in milliseconds: a check of the credentials that begins
 * at the end of `CALL_MS` still fits. A renewal of the token may take longer, and continues without the call.
 */
export const LATE_MS = 36_000;
/** The same with the time to write the response, in milliseconds. The server closes idle connections after 40 seconds. */
const MAX_MS = 38_000;
/** The maximum of a response that is returned, in bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** What ends a call before its response. */
interface CallLimits {
  /** The end of the time for requests to the application, in milliseconds of `performance.now()`. */
  deadline: number;
  /** Aborts when the client has disconnected. Undefined for a call that continues without its client. */
  client: AbortSignal | undefined;
  /** Aborts with the client, and when the time is over. */
  signal: AbortSignal;
  /** Aborts after `LATE_MS`; its reason is an AppError. */
  late: AbortSignal;
}

/** The outcome of one attempt. */
interface Attempt {
  status: number | undefined;
  retryAfter?: string | undefined;
  integrationId: string;
  response?: OutboundResponse;
  error?: OutboundError;
}

/** What a call has come to: the last response, or else the last error; and the pause before the next attempt. */
interface Progress {
  answered: Attempt | undefined;
  error: AppError | undefined;
  sends: number;
  /** Undefined if another attempt would not help, or is one too many. */
  pauseMs: number | undefined;
}

/** The dependencies of `ApplicationCalls`. */
export interface ApplicationCallsDependencies {
  db: Database;
  clock: Clock;
  access: AppAccess;
  outbound: Outbound;
}

/** Calls connected applications for clients. */
export class ApplicationCalls {
  constructor(private readonly deps: ApplicationCallsDependencies) {}

  /**
   * Makes one call, again as often as `retries` allows. What it learns of the connection is stored even if the request is
   * rolled back. @throws AppError as `AppAccess.call` does, `provider_unavailable` without any response.
   */
  async call(context: RequestContext, input: CallApplicationInput): Promise<ApplicationResponse> {
    const request = callRequestOf(input);
    demandNoTransaction();
    context.needsTime(MAX_MS);
    const { db } = this.deps;
    // A client that repeats its request must find the response of the first time.
    const client = db.isInUnitOfWork ? undefined : context.signal;
    const over = AbortSignal.timeout(CALL_MS);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate()), LATE_MS);
    const limits = {
      deadline: performance.now() + CALL_MS,
      client,
      signal: client === undefined ? over : AbortSignal.any([over, client]),
      late: late.signal,
    };
    return db
      .outsideUnitOfWork(async () => {
        const { response, integrationId } = await this.callUntil(context, request, limits);
        return answerOf(integrationId, response!, limits.signal);
      })
      .finally(() => clearTimeout(timer));
  }

  private async callUntil(context: RequestContext, request: CallRequest, limits: CallLimits): Promise<Attempt> {
    const { signal } = limits;
    const left = () => limits.deadline - performance.now();
    const progress: Progress = { answered: undefined, error: undefined, sends: 0, pauseMs: undefined };
    for (;;) {
      await this.advance(progress, context, request, limits);
      const { pauseMs = Infinity, answered, error } = progress;
      if (pauseMs >= left() || signal.aborted) {
        if (answered !== undefined) return answered;
        throw error!;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Makes one attempt. @throws AppError of a call that must not be repeated. */
  private async advance(
    progress: Progress,
    context: RequestContext,
    request: CallRequest,
    limits: CallLimits,
  ): Promise<void> {
    progress.pauseMs = undefined;
    try {
      const attempt = await untilAborted(this.attempt(context, request, limits), limits.late);
      const { status, error } = attempt;
      progress.sends += 1;
      if (status !== undefined) progress.answered = attempt;
      else progress.error = unavailable(error!);
      const isWorthAgain = status === undefined ? isPassing(error!) : status === 429 || status >= 500;
      if (isWorthAgain && progress.sends <= request.retries)
        progress.pauseMs = this.pauseAfter(progress.sends, attempt);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error instanceof HeldBackError) {
        if (request.retries > 0) progress.pauseMs = error.waitMs;
      } else if (error.code === 'provider_unavailable') {
        progress.sends += 1;
        if (progress.sends <= request.retries) progress.pauseMs = this.pauseAfter(progress.sends, {});
      } else throw error.code === 'not_found' ? await this.notFound(error, context, request.which) : error;
      progress.error = error;
    }
  }

  private attempt(
    { accountId, hops }: RequestContext,
    { which, path, method, headers, body }: CallRequest,
    { deadline, client, signal }: CallLimits,
  ): Promise<Attempt> {
    const caller = { accountId, hops: hops + 1, signal };
    return this.deps.access.call(caller, { ...which, path }, async (target): Promise<Attempt> => {
      const { integrationId } = target;
      // Computed for each send: a wait for a slot, a renewal or a refused request may have come before it.
      const timeoutMs = Math.ceil(deadline - performance.now());
      try {
        if (timeoutMs <= 0) throw new OutboundError('timeout', 'The time was over before the request could be sent.');
        const response = await this.deps.outbound.request({
          url: target.url,
          method,
          headers: { ...target.defaults, ...headers, ...target.credentials, 'workflow-hops': String(hops + 1) },
          ...(body !== undefined && { body }),
          timeoutMs,
          maxBytes: MAX_ANSWER_BYTES,
          cut: 'decoded',
          trust: 'operator',
          account: accountId,
          signal: client,
        });
        return { status: response.status, retryAfter: response.headers['retry-after'], integrationId, response };
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { status: undefined, integrationId, error };
      }
    });
  }

  private pauseAfter(sends: number, { retryAfter: header }: Pick<Attempt, 'retryAfter'>): number {
    const now = this.deps.clock.now();
    return nextAttemptAt(now, sends, retryAfter(header, now)).getTime() - now.getTime();
  }

  /** An id of another account is `unauthorized`. */
  private async notFound(error: AppError, { accountId }: RequestContext, which: ConnectionOf): Promise<AppError> {
    if ('connection' in which) return error;
    return notFoundOrForeign(this.deps.db, 'integrations', fromPublicId('int', which.integrationId), accountId);
  }
}

function isPassing({ reason }: OutboundError): boolean {
  return reason === 'timeout' || reason === 'network';
}

function tooLate(): AppError {
  return new AppError('provider_unavailable', `The call was not finished within ${LATE_MS / 1_000} seconds.`);
}

function unavailable({ reason, message }: OutboundError): AppError {
  return new AppError('provider_unavailable', `${message} (${reason})`);
}
