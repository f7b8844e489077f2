import { OnceASecond } from '../platform/logging/once-a-second.js';
import { type IncomingMessage, type RequestListener } from 'node:http';
import { Answers } from '../platform/admission/answers.js';
import { actionKinds } from '../features/actions/kinds/index.js';
import { createAppEvents } from '../features/triggers/app-events/app-event.router.js';
import { Authentication } from '../features/authentication/authentication.js';
import { type ConfigSecrets } from '../platform/config/config.js';
import { type Clock } from '../platform/clock.js';
import { clockAhead } from '../platform/db/clock-ahead.js';
import { type Database } from '../platform/db/database.js';
import { type MetricSources } from '../platform/feature.js';
import { type Platform } from '../platform/platform.js';
import { corsFor } from '../transports/gateway/cors.js';
import { createHandler, type Listeners } from '../transports/gateway/handler.js';
import { Metrics } from '../transports/gateway/metrics.js';
import { createPages, type PagesOptions } from '../transports/gateway/pages.js';
import { type SseSubscriptions } from '../transports/graphql/subscriptions/subscriptions.sse.js';
import { type WsSubscriptions } from '../transports/graphql/subscriptions/subscriptions.ws.js';
import { wireGraphql } from '../transports/graphql/wire.js';
import { createCallbacks } from '../features/waits/answering/callbacks.js';
import { createInboundHooks } from '../features/triggers/hooks/inbound-hook.router.js';
import { type InboundOptions } from '../features/triggers/hooks/inbound-post.js';
import { triggerKinds } from '../features/triggers/kinds/index.js';
import { BodyBudget, UNKNOWN_BYTES } from '../platform/admission/body-budget.js';
import { bytesToHold } from '../platform/http/inbound/inbound-body.js';
import { clientAddress, networkOf } from '../platform/http/inbound/client-address.js';
import {
  KEYLESS,
  KEYLESS_REPEATED,
  KEYLESS_TOGETHER,
  ResponsePace,
  STRANGERS,
  strictest,
} from '../platform/admission/response-pace.js';
import { RateLimits } from '../platform/admission/rate-limits.js';
import { type ConfigsByKind } from '../transports/rest/given-names.js';
import { ProxyRouter } from '../transports/proxy/proxy.router.js';
import { type RestMiddleware, RestRouter } from '../transports/rest/router.js';
import { asRequest } from '../platform/admission/origin.js';
import { AuthRouter } from '../features/users/sign-in/auth.router.js';
import { type Features } from './wire-features.js';

/** All request handlers, not yet bound to a port. */
export interface OpenTransports {
  handler: RequestListener;
  restMiddleware: RestMiddleware;
  ws: WsSubscriptions;
  sse: SseSubscriptions;
}

/** Builds the transports over the features. Once `stopping` aborts, `/readyz` reports that the process is not ready. */
export async function openTransports(
  platform: Platform,
  features: Features,
  { metricsToken }: Pick<ConfigSecrets, 'metricsToken'>,
  { undo, stopping }: { undo: (step: () => unknown) => void; stopping: AbortSignal },
): Promise<OpenTransports> {
  const { config, db, clock, logger, notifications, siblings } = platform;
  const { resolvers, idempotency, connectSessions, users, keyWatch } = features;
  const rates = new RateLimits(clock, config.rateLimits, siblings?.spending('rates'));
  const answers = new Answers();
  const bodies = new BodyBudget();
  const addressOf = (request: IncomingMessage): string => clientAddress(request, config.proxies);
  const clientOf = (request: IncomingMessage): string => networkOf(addressOf(request));
  const refusals = config.rateLimits && new ResponsePace(STRANGERS);
  const keyless = config.rateLimits && strictest([KEYLESS, KEYLESS_TOGETHER]);
  const repeated = config.rateLimits && new ResponsePace(KEYLESS_REPEATED);
  const keylessDelay = (request: IncomingMessage): number => keyless?.next(clientOf(request)) ?? 0;
  const authentication = new Authentication(
    db,
    clock,
    logger,
    notifications,
    connectSessions,
    users.sessions,
    refusals,
  );
  undo(() => authentication.stop());
  keyWatch.start();
  undo(() => keyWatch.stop());
  const { schema, apollo, http, ws, sse, ...graphql } = wireGraphql(platform, {
    resolvers,
    authentication,
    keyWatch,
    rates,
    answers,
    bodies,
    persons: users.sessions,
    repetition: idempotency,
    isForeign: foreignSockets(platform, features),
    addressOf,
    keylessDelay,
  });
  await apollo.start();
  undo(() => apollo.stop());
  const rest = new RestRouter(
    schema,
    (request) => authentication.ofRequest(request),
    rates,
    answers,
    bodies,
    idempotency,
    platform.stored,
    configsByKind(),
    config.baseUrl,
    platform.longWork,
    logger,
  );
  const metrics = new Metrics({
    ...graphql.metrics,
    ...features.metrics,
    ...heldMetrics(answers, bodies),
    ...databaseMetrics(db, clock),
  });
  if (siblings !== undefined) undo(metrics.joinMachine(siblings.channel));
  const isReady = (): boolean => !stopping.aborted;
  const handler = createHandler({
    rest,
    proxy: new ProxyRouter({
      authenticate: (request) => authentication.ofRequest(request),
      proxy: features.proxy,
      rates,
      bodies,
      logger,
    }),
    graphql: http,
    sse,
    ...inboundRoutes(platform, features, { rates, bodies, refusals, clientOf }, metrics),
    auth: new AuthRouter({ ...users.router, bodies, refusals, clientOf }),
    cors: corsFor(config.corsOrigins, clock, logger),
    express: createPages({
      ...pagesOf(platform, features, rates, { metrics, metricsToken, isReady }),
      bodies,
      clientOf,
    }),
    metrics,
    logger,
    tracing: platform.tracing,
    keylessDelay: (request) => Math.max(keylessDelay(request), repeated?.next(clientOf(request)) ?? 0),
    holdUnknown: (request) => bodies.holdUnknown(clientOf(request), Math.min(bytesToHold(request), UNKNOWN_BYTES)),
    addressOf,
    isOpen: config.roles.has('api'),
    stopping,
  });
  // In another Express app no request passes the handler, which would have noted its client.
  const restMiddleware: RestMiddleware = (request, response) =>
    asRequest(
      () => addressOf(request),
      () => rest.middleware(request, response),
    );
  return { handler, restMiddleware, ws, sse };
}

/** Types of triggers and kinds of actions in one map: they share no name. */
function configsByKind(): ConfigsByKind {
  const ofTriggers = Object.values(triggerKinds).map(({ type, keys }) => [type, keys] as const);
  return new Map([...ofTriggers, ...actionKinds.map(({ kind, keys }) => [kind, keys] as const)]);
}

/**
 * Detects WebSocket upgrades from another origin with a session cookie. A listed origin may open sockets with a key;
 * its cookie is ignored.
 */
function foreignSockets({ config }: Platform, { users }: Features): (request: IncomingMessage) => boolean {
  const listed = new Set(config.corsOrigins);
  return (request) => users.sessions.isForeign(request) && !listed.has(request.headers.origin ?? '');
}

/** The routes for posts of other services: `/hooks/:token`, `/events/:token` and `/callbacks/:token`. */
function inboundRoutes(
  { logger, longWork }: Platform,
  { hooks, appEvents, waits }: Features,
  {
    rates,
    bodies,
    refusals,
    clientOf,
  }: Pick<InboundOptions, 'bodies' | 'refusals' | 'clientOf'> & { rates: RateLimits },
  metrics: Metrics,
): Pick<Listeners, 'hooks' | 'events' | 'callbacks'> {
  const inbound = {
    refusal: (token: string, bytes: number) =>
      rates.take('hook', { id: token })?.refusal ?? rates.take('hookBytes', { id: token }, bytes)?.refusal,
    spend: (token: string, bytes: number) => rates.spend('hookBytes', { id: token }, bytes),
    bodies,
    longWork,
    refusals,
    clientOf,
    log: new OnceASecond(logger),
  };
  const refusalOfHops = (accountId: string) => rates.take('hook', { id: `hops ${accountId}` })?.refusal;
  return {
    hooks: createInboundHooks({
      ...inbound,
      refusalOfHops,
      store: hooks,
      onBadSignature: () => metrics.hookSignatureFailures.inc(),
    }),
    events: createAppEvents({
      ...inbound,
      refusalOfHops,
      store: appEvents,
      onBadSignature: () => metrics.eventSignatureFailures.inc(),
    }),
    callbacks: createCallbacks({ ...inbound, tokens: waits.tokens, answers: waits.answers, retried: waits.retried }),
  };
}

function pagesOf(
  { config, db, writeProbe, clock, outbound, logger }: Platform,
  { connectPages, waits }: Features,
  rates: RateLimits,
  operation: Omit<PagesOptions['operation'], 'probe' | 'production'>,
): Omit<PagesOptions, 'bodies' | 'clientOf'> {
  const { baseUrl, production } = config;
  const query: typeof db.query = (text, values) => db.query(text, values);
  return {
    operation: { ...operation, probe: writeProbe, production },
    oauth: { ...connectPages, baseUrl },
    session: { page: connectPages.session, rates },
    waits,
    sandbox: production ? undefined : { baseUrl, clock, query, outbound },
    logger,
  };
}

function heldMetrics(answers: Answers, bodies: BodyBudget): MetricSources {
  return {
    answer_bytes: { help: 'Bytes of large responses that are being created or sent.', read: () => answers.inUse },
    body_bytes: { help: 'Bytes of request bodies that are being read or processed.', read: () => bodies.inUse },
  };
}

function databaseMetrics(db: Database, clock: Clock): MetricSources {
  return {
    database_statements: { over: 'kept', help: 'Statements sent since the start.', read: () => db.statements },
    database_clock_ahead_seconds: {
      over: 'shared',
      help: "How far this process's clock is ahead of the database's.",
      read: async () => (await clockAhead(db, clock)) / 1_000,
    },
    database_connections: { help: 'Connections of the pool in use.', read: () => db.turns.inUse },
    database_waiting: {
      help: 'Statements and transactions that wait for a connection, or for their turn.',
      read: () => db.turns.waiting,
    },
  };
}
