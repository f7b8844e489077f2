import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type GraphQLSchema } from 'graphql';
import { type Answers } from '../../platform/admission/answers.js';
import { type StoredBytes } from '../../platform/admission/daily/stored-bytes.js';
import { type BodyBudget } from '../../platform/admission/body-budget.js';
import { lazy } from '../../platform/lazy.js';
import { canonicalJson } from '../../platform/json/canonical-json.js';
import { workFor } from '../../platform/admission/work.js';
import { PageArgs } from '../../platform/db/pages/pagination.js';
import { accessOf, authorize } from '../../platform/graphql/access.js';
import { budgetsFor } from '../../platform/graphql/needed-mutations.js';
import { type Variables } from '../graphql/documents/amount.js';
import { valuesIn, weightIn } from '../graphql/documents/document-facts.js';
import { AppError, toAppError } from '../../platform/errors.js';
import { type Access, type Caller, senderOf, type Client, errorFor, RequestContext } from '../../platform/context.js';
import {
  bytesToHold,
  type InboundRequest,
  type JsonBody,
  exactValueOf,
  readJsonBody,
} from '../../platform/http/inbound/inbound-body.js';
import { type LongWork } from '../../platform/admission/long-work.js';
import { type RateLimits } from '../../platform/admission/rate-limits.js';
import { heldRefusal } from '../../platform/http/inbound/held-response.js';
import { sendError, sendJsonText, sendNotModified, setHeaders } from '../../platform/http/inbound/json-response.js';
import { hopsOf } from '../../platform/http/inbound/hops.js';
import { onceClosed } from '../../platform/http/inbound/once-closed.js';
import { assignRequestId } from '../../platform/http/inbound/request-id.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { currentSpan, traced } from '../../platform/tracing/span.js';
import { validateInput } from '../../platform/validation.js';
import { compileDocument, type Run } from './compiled-document.js';
import { compileOperation, IF_MATCH, type Operation, viewSchema } from './documents.js';
import { type ConfigsByKind } from './given-names.js';
import { ifMatchOf, isNotModified } from './conditions.js';
import { inRestNames } from './rest-error.js';
import { type RestWords, restWords } from './names.js';
import { type ListResult, monitorLink, nextLink } from './links.js';
import { type KeptAnswer, type Repetition, repeaterOf } from '../../platform/repetition.js';
import { wantsStrictNames } from '../../platform/http/inbound/preferences.js';
import { RequestNames } from './request-names.js';
import { requestVariables } from './request-variables.js';
import { type Matched, pathOf, RouteTable } from './route-table.js';
import { type Route, ROUTES, takesIdempotencyKey } from './routes.js';

/** The compiled operation of a route, with the access that its root field requires. */
interface Compiled extends Operation {
  access: Access;
  run: Run;
}

/** A row of the table. Documents are compiled at their first request, because all together take a third of a start. */
interface Row {
  route: Route;
  compiled: () => Compiled;
}

/** A request for a route. */
interface Asked {
  matched: Matched<Compiled>;
  names: RequestNames;
  query: URLSearchParams;
  body: JsonBody | undefined;
}

/** The outcome of a request, for the log line and the metrics. */
export interface RestOutcome {
  operation?: string;
  status: number;
}

/** Express-compatible: `app.use('/v1', middleware)`. It answers every request below its path and never calls `next`. */
export type RestMiddleware = (
  request: InboundRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** REST `/v1`: a view of the GraphQL schema. All routes are rows of `ROUTES` and documents of `schema/rest`. */
export class RestRouter {
  private readonly table: RouteTable<Row>;
  private readonly words: RestWords;

  constructor(
    schema: GraphQLSchema,
    private readonly authenticate: (request: IncomingMessage) => Promise<Caller>,
    private readonly rates: RateLimits,
    private readonly answers: Answers,
    private readonly bodies: BodyBudget,
    private readonly repetition: Repetition,
    private readonly stored: StoredBytes,
    private readonly configs: ConfigsByKind,
    /** The public URL of the service, without a trailing slash. */
    private readonly baseUrl: string,
    private readonly longWork: LongWork,
    private readonly logger: Logger,
  ) {
    const view = lazy(() => viewSchema(schema));
    this.words = restWords(schema);
    this.table = new RouteTable(
      ROUTES.map((route) => ({ route, compiled: lazy(() => compile(schema, view(), route)) })),
    );
  }

  /** The same as a middleware for other Express apps, behind a body parser or without one. */
  readonly middleware: RestMiddleware = (request, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    void this.handle(request, response, assignRequestId(request, response), gone);
  };

  /** Answers a request whose `url` is below `/v1`. Never rejects; all errors are `{ code, message, details? }`. */
  async handle(
    request: InboundRequest,
    response: ServerResponse,
    requestId: string,
    client?: Client,
  ): Promise<RestOutcome> {
    let operation: string | undefined;
    let caller: Caller | undefined;
    let refusal: AppError | undefined;
    try {
      caller = await this.authenticate(request);
      const strict = wantsStrictNames(request);
      if (strict) response.setHeader('preference-applied', 'handling=strict');
      const context = new RequestContext(requestId, caller, client, undefined, hopsOf(request.headers), strict);
      const rate = this.rates.take(isRead(request) ? 'read' : 'write', senderOf(caller));
      setHeaders(response, rate?.headers);
      refusal = rate?.refusal;
      const { value, path } = this.table.match(request.method!, pathOf(request));
      operation = value.route.operation;
      const matched = { value: value.compiled(), path };
      const query = queryOf(request);
      const names = new RequestNames(
        response,
        matched.value,
        this.configs,
        strict || value.route.refusesUnknownNames === true,
      );
      names.ofAddress(request, query);
      authorize(caller, matched.value.access);
      if (refusal !== undefined) throw refusal;
      const isGet = matched.value.route.method === 'GET';
      if (!isGet) await this.stored.demandRoom(caller.accountId, budgetsFor([matched.value.rootField.name.value]));
      if (!isGet) onceClosed(response, this.bodies.hold(caller.accountId, bytesToHold(request)));
      const body = isGet ? undefined : await readJsonBody(request, { object: true });
      if (body !== undefined) names.ofBody(body.value as Variables);
      this.rates.spendBody('write', senderOf(caller), body?.bytes.length ?? 0);
      const answer = this.answers.begin(caller.accountId);
      if (!isGet) answer.mustFinish();
      onceClosed(response, () => answer.end());
      const work = () => answer.make(() => this.answer(request, response, { matched, names, query, body }, context));
      const given = await workFor(caller.accountId, work, { client: isRead(request) ? client : undefined, answer });
      if (!isGet && given.replayed !== true) this.stored.addWrites(caller.accountId, body?.bytes.length ?? 0);
      if (body !== undefined) names.ofChangedConfig(body.value as Variables, given.body as Variables);
      if (given.replayed) response.setHeader('idempotent-replayed', 'true');
      this.locate(response, matched.value, given);
      if (given.link !== undefined) response.setHeader('link', given.link);
      if (given.etag !== undefined) {
        response.setHeader('etag', `"${given.etag}"`);
        if (isGet && isNotModified(request, given.etag)) return { operation, status: sendNotModified(response) };
      }
      const { status, body: result = null } = given;
      const long = await answer.writeLong(result, () => this.longWork.pause(context.accountId), isGet);
      return { operation, status: sendJsonText(response, status, long ?? answer.write(result), answer) };
    } catch (error) {
      const known = errorFor(caller, toAppError(error));
      await heldRefusal(refusal ?? known, response);
      if (known.code === 'internal_error') {
        this.logger.error({ request_id: requestId, operation, ...errorFields(known.cause) }, 'request failed');
      }
      return { ...(operation ? { operation } : {}), status: sendError(response, known) };
    }
  }

  /** The response of the work; for a repeated POST with an `Idempotency-Key` the stored one. */
  private async answer(
    request: InboundRequest,
    response: ServerResponse,
    { matched, names, query, body }: Asked,
    context: RequestContext,
  ): Promise<KeptAnswer & { replayed?: boolean; etag?: string }> {
    const { value } = matched;
    const given = (body?.value ?? {}) as Record<string, unknown>;
    const work = async () => {
      const condition = value.takesIfMatch ? ifMatchOf(request.headers['if-match']) : undefined;
      const variables = await this.variablesOf({ matched, names, query }, given, context);
      if (value.route.below !== undefined) this.validatePage(variables);
      if (condition !== undefined) variables[IF_MATCH] = condition;
      if (value.route.method === 'GET') await this.admit(response, value, context.caller, variables);
      const result = await this.run(matched, context, variables);
      const etag = value.etag && { etag: (result as Record<string, string>)[value.etag]! };
      const link = this.linkOf(matched, query, result);
      return { status: statusOf(value, result), body: value.shape(result), link, ...etag };
    };
    const key = request.headers['idempotency-key'];
    if (key === undefined || !takesIdempotencyKey(value.route)) return work();
    const path = addressOf(matched);
    const exact = body === undefined ? {} : exactValueOf(body);
    const { accountId, caller } = context;
    const repeater = repeaterOf(caller);
    return this.repetition.once({ accountId, repeater, key: String(key), path, body: canonicalJson(exact) }, work);
  }

  /** @throws AppError `validation_error`; `conflict` instead if the state of the resource refuses every request. */
  private async variablesOf(
    { matched, names, query }: Omit<Asked, 'body'>,
    given: Variables,
    context: RequestContext,
  ): Promise<Record<string, unknown>> {
    try {
      return requestVariables(matched, given, query, names.faults);
    } catch (fault) {
      if (matched.value.route.stateFirst !== true) throw fault;
      const refusal = await this.run(matched, context, matched.path).catch(toAppError);
      throw refusal instanceof AppError && refusal.code === 'conflict' ? refusal : fault;
    }
  }

  private async run({ value }: Matched<Compiled>, context: RequestContext, variables: Variables): Promise<unknown> {
    const { operation, method } = value.route;
    const type = method === 'GET' ? 'query' : 'mutation';
    const facts = { 'graphql.operation.name': operation, 'graphql.operation.type': type };
    const result = await (currentSpan() === undefined
      ? value.run(context, variables)
      : traced(type, 'internal', facts, () => value.run(context, variables)));
    const [error] = result.errors ?? [];
    if (error !== undefined) throw inRestNames(toAppError(error.originalError ?? error), this.words);
    return result.data!.result;
  }

  /** A nested list checks its page after its parent is found, but REST's order of checks needs it before. */
  private validatePage({ page = 1, per_page: perPage = 20 }: Variables): void {
    try {
      validateInput(Object.assign(new PageArgs(), { page, perPage }));
    } catch (error) {
      throw inRestNames(toAppError(error), this.words);
    }
  }

  /** The header `Link`: of a list the next page, of an open OAuth flow the URL that waits for its next change. */
  private linkOf(matched: Matched<Compiled>, query: URLSearchParams, result: unknown): string | undefined {
    const { route, isList } = matched.value;
    if (!isList) return monitorLink(this.baseUrl, route, result);
    const list = route.below === undefined ? result : (result as Record<string, unknown>)[route.below];
    return nextLink(`${this.baseUrl}/v1${addressOf(matched)}`, query, list as ListResult);
  }

  /** Says where a 201 has created something. */
  private locate(response: ServerResponse, { route: { location } }: Compiled, { status, body }: KeptAnswer): void {
    if (status !== 201 || location === undefined) return;
    const path = location.replace(/\{([\w.]+)\}/g, (_, field: string) => textIn(body, field));
    response.setHeader('location', `${this.baseUrl}/v1${path}`);
  }

  /** Charges a read with the weight of its parameters, and waits for its turn. @throws AppError `rate_limited`. */
  private async admit(response: ServerResponse, { facts }: Compiled, caller: Caller, given: Variables): Promise<void> {
    const weight = weightIn(facts, given);
    const rate = weight > 1 ? this.rates.recount('read', 'read', senderOf(caller), weight) : undefined;
    setHeaders(response, rate?.headers);
    if (rate?.refusal !== undefined) throw rate.refusal;
    await this.longWork.results.take(caller.accountId, valuesIn(facts, given));
  }
}

function compile(schema: GraphQLSchema, view: GraphQLSchema, route: Route): Compiled {
  const operation = compileOperation(view, route);
  const access = accessOf(operation.rootField.name.value);
  if (access === undefined) throw new Error(`${operation.rootField.name.value} declares no access.`);
  return { ...operation, access, run: compileDocument(schema, operation.document) };
}

/** The canonical path, without a trailing slash or percent-encoding. */
function addressOf({ value, path }: Matched<Compiled>): string {
  return value.route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
}

function statusOf({ route: { status } }: Operation, result: unknown): number {
  return typeof status === 'number' ? status : status[(result as { __typename: string }).__typename]!;
}

/** A text of a body at a dotted path. */
function textIn(body: unknown, path: string): string {
  let value = body;
  for (const key of path.split('.')) value = (value as Record<string, unknown>)[key];
  return value as string;
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
