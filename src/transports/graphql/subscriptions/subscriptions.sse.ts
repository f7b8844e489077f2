import { type ServerResponse } from 'node:http';
import { type BodyBudget } from '../../../platform/admission/body-budget.js';
import { type UnreadBytes } from '../../../platform/admission/unread-bytes.js';
import { type Authentication } from '../../../features/authentication/authentication.js';
import { type KeyWatch } from '../../../features/authentication/key-watch.js';
import { type Caller, RequestContext } from '../../../platform/context.js';
import { AppError, toAppError } from '../../../platform/errors.js';
import { bytesToHold, type InboundRequest } from '../../../platform/http/inbound/inbound-body.js';
import { heldResponse } from '../../../platform/http/inbound/held-response.js';
import { nameIgnored } from '../../../platform/http/inbound/ignored-fields.js';
import { wantsStrictNames } from '../../../platform/http/inbound/preferences.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { type RateLimits } from '../../../platform/admission/rate-limits.js';
import { ConnectionPlaces } from './connection-places.js';
import { type PlaceLeases } from '../../../platform/processes/siblings.js';
import { finishEvent, formatError } from '../errors.js';
import { type SubscriptionArgs } from './audience.js';
import { EventStream } from './event-stream.js';
import { admit, admitDocument, readOperation, weigh } from '../operation-request.js';
import { refuse, sendErrors } from '../refusal.js';
import { checkRequestNames } from '../request-names.js';
import { type SubscriptionDocuments } from './subscription-documents.js';
import { isAway, type SharedExecution } from './shared-execution.js';
import { handOn, subscribe } from './subscribe.js';
import { type SubscriptionSpace } from './subscription-space.js';

/** Collaborators of `SseSubscriptions`. */
export interface SseDependencies {
  documents: SubscriptionDocuments;
  execution: SharedExecution;
  authentication: Authentication;
  keyWatch: KeyWatch;
  rates: RateLimits;
  longWork: LongWork;
  unread: UnreadBytes;
  space: SubscriptionSpace;
  bodies: BodyBudget;
  /** The places of streams, if several processes share them. */
  places: PlaceLeases | undefined;
  logger: Logger;
}

/**
 * Subscriptions over server-sent events at `/graphql/stream`, in graphql-sse's distinct connections mode. An error
 * before the stream begins is JSON with its HTTP status.
 */
export class SseSubscriptions {
  private readonly streams = new Set<EventStream>();
  private readonly connections: ConnectionPlaces;

  constructor(private readonly deps: SseDependencies) {
    this.connections = new ConnectionPlaces(deps.places);
  }

  async handle(request: InboundRequest, response: ServerResponse, requestId: string): Promise<void> {
    try {
      const caller = await this.deps.authentication.ofRequest(request);
      admit(this.deps.rates, caller, request, response);
      const stream = new EventStream(response, this.deps.unread, caller.accountId);
      const leave = await this.hold(stream, caller);
      try {
        const strict = wantsStrictNames(request);
        if (strict) response.setHeader('preference-applied', 'handling=strict');
        const context = new RequestContext(requestId, caller, undefined, () => stream.cut(), undefined, strict);
        await this.serve(request, response, stream, context);
      } finally {
        leave();
      }
    } catch (error) {
      await refuse(response, error, this.deps.logger, requestId);
    }
  }

  get count(): number {
    return this.streams.size;
  }

  /** Ends every stream; clients reconnect to another process. */
  close(): void {
    this.streams.forEach((stream) => stream.end());
  }

  /** Counts a stream and watches its key. @returns the function that undoes both. */
  private async hold(stream: EventStream, caller: Caller): Promise<() => void> {
    const release = await this.connections.take(caller);
    if (typeof release === 'string') {
      throw new AppError('rate_limited', `The ${release} has too many open event streams.`, { retryAfter: 1 });
    }
    this.streams.add(stream);
    const unwatch = this.deps.keyWatch.watch(caller, () => stream.end());
    return () => {
      unwatch();
      release();
      this.streams.delete(stream);
    };
  }

  private async serve(
    request: InboundRequest,
    response: ServerResponse,
    stream: EventStream,
    context: RequestContext,
  ): Promise<void> {
    const { authentication } = this.deps;
    const { newness, prepared } = await this.prepare(request, response, context);
    if (!('args' in prepared)) {
      await heldResponse(this.deps.rates.delayOfFault(context.accountId), response);
      return sendErrors(
        response,
        400,
        prepared.map((error) => formatError(error, context)),
      );
    }
    weigh(this.deps.rates, context.caller, response, { kind: 'read', weight: prepared.weight, newness });
    const events = await this.begin(prepared.args, context);
    const stop = (): void => void events.return?.();
    try {
      // Check again: the watch does not report a key that was revoked before it began.
      await authentication.ofRequest(request);
      demandOpen(stream);
      stream.open();
      response.once('close', stop);
      while (await handOn(events, (text) => stream.next(text))) if (stream.isClosed) return;
      await stream.complete();
    } finally {
      stop();
    }
  }

  /** A separate function, so that the body is not kept in memory as long as the stream. */
  private async prepare(request: InboundRequest, response: ServerResponse, context: RequestContext) {
    const { bodies, documents } = this.deps;
    const giveBack = bodies.hold(context.accountId, bytesToHold(request));
    const operation = await readOperation(request).finally(giveBack);
    const newness = documents.newnessOf(operation);
    await admitDocument(this.deps, context.caller, response, newness);
    const prepared = documents.prepare(context, operation);
    if ('args' in prepared) {
      checkRequestNames({ request, operation, document: prepared.args.document }, context);
      nameIgnored(response, context.ignoredNames);
    }
    return { newness, prepared };
  }

  /** The source of results. @throws AppError `unavailable`, so that clients try again; other errors become a result. */
  private async begin(prepared: SubscriptionArgs, context: RequestContext): Promise<AsyncIterator<string>> {
    const results = await subscribe(prepared, this.deps.execution, this.deps.space);
    if (Symbol.asyncIterator in results) return results;
    if (isAway(results)) throw toAppError(results.errors![0]!.originalError);
    const text = JSON.stringify(finishEvent(this.deps.logger, context, results));
    return [text].values() as unknown as AsyncIterator<string>;
  }
}

function demandOpen({ isClosed }: EventStream): void {
  if (isClosed) throw new AppError('unavailable', 'The stream was ended.', { retryAfter: 1 });
}
