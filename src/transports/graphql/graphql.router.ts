import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import { type Answer, type Answers } from '../../platform/admission/answers.js';
import { type BodyBudget } from '../../platform/admission/body-budget.js';
import { workFor } from '../../platform/admission/work.js';
import { type StoredBytes } from '../../platform/admission/daily/stored-bytes.js';
import { type Authentication } from '../../features/authentication/authentication.js';
import { senderOf, type PersonCaller } from '../../platform/context.js';
import { AppError, validationError } from '../../platform/errors.js';
import { heldResponse } from '../../platform/http/inbound/held-response.js';
import { hopsOf } from '../../platform/http/inbound/hops.js';
import { nameIgnored } from '../../platform/http/inbound/ignored-fields.js';
import { wantsStrictNames } from '../../platform/http/inbound/preferences.js';
import { onceClosed } from '../../platform/http/inbound/once-closed.js';
import {
  bytesToHold,
  type InboundRequest,
  type JsonBody,
  readJsonBody,
} from '../../platform/http/inbound/inbound-body.js';
import { sendText } from '../../platform/http/inbound/send-text.js';
import { traced } from '../../platform/tracing/span.js';
import { exceedsDepth } from '../../platform/json/json-depth.js';
import { type Logger } from '../../platform/logging/logger.js';
import { type RateLimits } from '../../platform/admission/rate-limits.js';
import { budgetsFor } from '../../platform/graphql/needed-mutations.js';
import { MAX_JSON_LEVELS } from '../../platform/graphql/scalars.js';
import { formatError } from './errors.js';
import { OperationContext, type AdmittedOperations } from './documents/admitted-operations.js';
import { admit, type OperationRequest, parametersOf, searchOf } from './operation-request.js';
import { checkRequestNames } from './request-names.js';
import { type RepeatableMutations } from './repeatable-mutations.js';
import { refuse, sendErrors } from './refusal.js';

/** Milliseconds after which an operation is answered with `unavailable`, unless it has said that it needs more. */
export const OPERATION_TIMEOUT_MS = 10_000;
/** The most that an operation may take in all, in milliseconds. */
const MAX_OPERATION_MS = 60_000;
/** Fields with `wait` are aborted this many milliseconds earlier, so that they can still return the current state. */
const GRACE_MS = 500;
const NO_BODY: JsonBody = { value: undefined, bytes: Buffer.alloc(0) };

/** Keeps the session of a person alive: the dashboard's pages make no other requests than these. */
export interface KeptSessions {
  keep(request: IncomingMessage, response: ServerResponse, caller: PersonCaller): Promise<void>;
}

/** `POST /graphql` and `GET /graphql`: checks key, method, body and cost, in this order, then calls Apollo. */
export class GraphqlHttp {
  constructor(
    private readonly apollo: ApolloServer<OperationContext>,
    private readonly operations: AdmittedOperations,
    private readonly authentication: Authentication,
    private readonly rates: RateLimits,
    private readonly answers: Answers,
    private readonly bodies: BodyBudget,
    private readonly persons: KeptSessions,
    private readonly mutations: RepeatableMutations,
    private readonly stored: StoredBytes,
    private readonly logger: Logger,
  ) {}

  async handle(
    request: InboundRequest,
    response: ServerResponse,
    requestId: string,
    client: AbortController,
  ): Promise<void> {
    try {
      const caller = await this.authentication.ofRequest(request);
      // A read of weight 1 until the document is known, see `admitted-operations.ts`.
      admit(this.rates, caller, request, response);
      if (caller.kind === 'person') await this.persons.keep(request, response, caller);
      onceClosed(response, this.bodies.hold(caller.accountId, bytesToHold(request)));
      const body = (await readJsonBody(request)) ?? NO_BODY;
      this.rates.spendBody('read', senderOf(caller), body.bytes.length);
      const search = shallowSearch(request);
      demandNoCondition(request);
      const strict = wantsStrictNames(request);
      if (strict) response.setHeader('preference-applied', 'handling=strict');
      const context = new OperationContext(requestId, caller, client, undefined, hopsOf(request.headers), strict);
      const answer = this.answers.begin(caller.accountId);
      onceClosed(response, () => answer.end());
      const execute = () => answer.make(() => this.execute(request, response, search, body, context, answer));
      await workFor(caller.accountId, () => withTimeout(client, context, execute), { client, answer, requestId });
    } catch (error) {
      await refuse(response, error, this.logger, requestId);
    }
  }

  private async execute(
    request: InboundRequest,
    response: ServerResponse,
    search: string,
    { value: body, bytes }: JsonBody,
    context: OperationContext,
    answer: Answer,
  ): Promise<() => void> {
    const operation = request.method === 'GET' ? parametersOf(request) : ((body ?? {}) as OperationRequest);
    const faults = await this.operations.admit(context, response, operation);
    if (faults.length > 0) {
      await this.holdRefused(response, context);
      return () =>
        sendErrors(
          response,
          400,
          faults.map((fault) => formatError(fault, context)),
        );
    }
    await this.stored.demandRoom(context.accountId, budgetsFor(context.mutations));
    checkRequestNames({ request, operation, document: context.document }, context);
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    // A page can't send Authorization across origins without a preflight, so such a request is no forgery (CSRF). A
    // person's request was already checked to come from our own origin.
    if (headers.has('authorization') || context.caller.kind === 'person')
      headers.set('apollo-require-preflight', 'true');
    const {
      status,
      headers: answered,
      text,
    } = await traced('graphql', 'internal', {}, () =>
      this.mutations.execute(request, response, { operation, bytes }, context, async () => {
        const result = await this.apollo
          .executeHTTPGraphQLRequest({
            httpGraphQLRequest: { method: request.method!, headers, search, body },
            context: async () => context,
          })
          .finally(() => context.slices?.stop());
        const text = result.body.kind === 'complete' ? result.body.string : '';
        return { status: result.status ?? 200, headers: [...result.headers], text };
      }),
    );
    if (status === 400) await this.holdRefused(response, context);
    if (context.writes > 0)
      this.stored.addWrites(context.accountId, bytesWritten(bytes, operation, context), context.writes);
    return () => {
      const long = answer.text.handOver();
      if (long === undefined) answer.checkLength(text);
      for (const [name, value] of answered) response.setHeader(name, value);
      nameIgnored(response, context.ignoredNames);
      response.statusCode = status;
      sendText(response, long ?? text, answer);
    };
  }

  /** Holds back the refusal of a document, or of its variables, by an account that has many refused. */
  private holdRefused(response: ServerResponse, { accountId }: OperationContext): Promise<void> | undefined {
    return heldResponse(this.rates.delayOfFault(accountId), response);
  }
}

/** The bytes of a request, with its variables wherever one is used. */
function bytesWritten({ length }: Buffer, { query }: OperationRequest, { copies }: OperationContext): number {
  return Math.ceil(length + copies * (length - String(query).length));
}

/** @throws AppError `validation_error` for a header that would be ignored, and that a client takes for a condition. */
function demandNoCondition({ headers, method }: InboundRequest): void {
  const message = 'is not supported by /graphql; use expectedVersion';
  if (headers['if-match'] !== undefined) throw validationError({ field: 'If-Match', message });
  if (headers['if-none-match'] !== undefined && method !== 'GET')
    throw validationError({ field: 'If-None-Match', message });
}

/**
 * The query string of the URL; JSON in it may be nested no deeper than in a body. @throws AppError `validation_error`.
 */
function shallowSearch({ url = '/' }: InboundRequest): string {
  const search = searchOf(url);
  if (search === '') return search;
  const parameters = new URLSearchParams(search);
  for (const field of ['variables', 'extensions']) {
    // The parameters themselves count as the first level of a body.
    if (parameters.getAll(field).some((text) => exceedsDepth(text, MAX_JSON_LEVELS - 1))) {
      throw validationError({ field, message: `may be nested ${MAX_JSON_LEVELS} levels deep, with the request` });
    }
  }
  return search;
}

/** The result of `work`, or an error when it is late. Shortly before that, the client's signal aborts. */
async function withTimeout(
  client: AbortController,
  context: OperationContext,
  work: () => Promise<() => void>,
): Promise<void> {
  const end = performance.now() + MAX_OPERATION_MS;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const limit = (milliseconds: number): void => {
      const late = (): void => reject(new AppError('unavailable', 'The operation took too long.', { retryAfter: 1 }));
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          client.abort();
          timer = setTimeout(late, GRACE_MS);
        },
        Math.min(milliseconds, end - performance.now()) - GRACE_MS,
      );
    };
    limit(OPERATION_TIMEOUT_MS);
    context.needsTime = limit;
  });
  try {
    const answer = await Promise.race([work(), timeout]);
    answer();
  } finally {
    context.needsTime = () => undefined;
    clearTimeout(timer);
  }
}
