import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener } from 'node:http';
import { createAppEvents } from './app-events/app-event.router.js';
import { Authentication } from './api-keys/authentication.js';
import { KeyWatch } from './api-keys/key-watch.js';
import { type ConfigSecrets } from './config/config.js';
import { type Floor } from './floor.js';
import { corsFor } from './gateway/cors.js';
import { createHandler } from './gateway/handler.js';
import { Metrics } from './gateway/metrics.js';
import { createPages } from './gateway/pages.js';
import { createApollo } from './graphql/apollo.js';
import { SubscriptionDocuments } from './graphql/documents.js';
import { GraphqlHttp } from './graphql/graphql.router.js';
import { buildGatewaySchema } from './graphql/schema.js';
import { SharedExecution } from './graphql/shared-execution.js';
import { SseSubscriptions } from './graphql/subscriptions.sse.js';
import { WsSubscriptions } from './graphql/subscriptions.ws.js';
import { HookStore } from './hooks/hook-store.js';
import { createInboundHooks } from './hooks/inbound-hook.router.js';
import { RateLimits } from './rate-limits.js';
import { RestRouter, sendError } from './rest/router.js';
import { AuthRouter } from './users/auth.router.js';
import { type Features } from './wiring.js';

/** Everything that answers requests, not yet bound to a port. */
export interface OpenDoors {
  handler: RequestListener;
  rest: RestRouter;
  ws: WsSubscriptions;
  sse: SseSubscriptions;
}

/** Builds the doors over the features. From the moment that `stopping` aborts, `/readyz` says no. */
export async function openDoors(
  floor: Floor,
  features: Features,
  { metricsToken }: Pick<ConfigSecrets, 'metricsToken'>,
  { undo, stopping }: { undo: (step: () => unknown) => void; stopping: AbortSignal },
): Promise<OpenDoors> {
  const { config, db, clock, secrets, logger, notifications, outbound } = floor;
  const rates = new RateLimits(clock, config.rateLimits);
  const authentication = new Authentication(
    db,
    clock,
    logger,
    notifications,
    features.connectSessions,
    features.users.sessions,
  );
  const keyWatch = new KeyWatch(db, clock, logger, notifications);
  keyWatch.start();
  undo(() => keyWatch.stop());

  const schema = buildGatewaySchema(features.resolvers);
  const apollo = createApollo(schema, rates, logger);
  await apollo.start();
  undo(() => apollo.stop());
  const listed = new Set(config.corsOrigins);
  // A listed one may open sockets with a key; the cookie counts for nothing there.
  const isForeign = (request: IncomingMessage): boolean =>
    features.users.sessions.isForeign(request) && !listed.has(request.headers.origin ?? '');
  const subscriptions = { documents: new SubscriptionDocuments(schema), execution: new SharedExecution(logger) };
  const ws = new WsSubscriptions({
    ...subscriptions,
    authentication,
    isForeign,
    keyWatch,
    logger,
    newRequestId: randomUUID,
  });
  const sse = new SseSubscriptions({ ...subscriptions, authentication, keyWatch, rates, logger });
  const rest = new RestRouter(
    schema,
    (request) => authentication.ofRequest(request),
    rates,
    features.idempotency,
    logger,
  );
  const metrics = new Metrics({
    websocket_connections: { help: 'Open WebSockets.', read: () => ws.count },
    event_streams: { help: 'Open event streams (SSE).', read: () => sse.count },
    change_listeners: { help: 'Who listens for changes of integrations.', read: () => features.changeListeners() },
    run_listeners: { help: 'Who listens for changes of runs.', read: () => features.runListeners() },
    event_executions: {
      help: 'Events that were executed for subscribers, once for all who asked the same.',
      read: () => subscriptions.execution.executions,
    },
    mails_sent: { help: 'Mails that this process has sent.', read: () => features.mailSender.counts.sent },
    mails_failed: {
      help: 'Mails that this process found refused for good, or gave up.',
      read: () => features.mailSender.counts.refused + features.mailSender.counts.given_up,
    },
    runs_open: {
      help: 'Runs of all processes that have not ended, up to 100,000 of each status.',
      label: 'status',
      read: () => features.openRuns(),
    },
    runs_ended_total: {
      help: 'Runs that the worker of this process has ended.',
      label: 'status',
      read: () => features.tally.ended,
    },
    runs_under_way: { help: 'Runs that this process carries out now.', read: () => features.worker.size },
    run_jobs: {
      help: 'Runs in the queue of all processes: waiting for a worker, and held by one.',
      label: 'state',
      read: async () => ({ ...(await features.runQueue.depth()) }),
    },
    database_statements: { help: 'Statements sent since the start.', read: () => db.statements },
  });
  const store = new HookStore(db, clock, secrets, features.runQueue);
  undo(() => store.close());
  undo(() => features.eventStore.close());

  const { baseUrl, production } = config;
  const query: typeof db.query = (text, values) => db.query(text, values);
  const inbound = { refusal: (token: string) => rates.take('hook', token)?.refusal, logger, sendError };
  const isReady = (): boolean => !stopping.aborted;
  const handler = createHandler({
    rest,
    graphql: new GraphqlHttp(apollo, authentication, rates, logger),
    sse,
    hooks: createInboundHooks({
      ...inbound,
      store,
      onBadSignature: () => metrics.hookSignatureFailures.inc(),
    }),
    events: createAppEvents({
      ...inbound,
      store: features.eventStore,
      onBadSignature: () => metrics.eventSignatureFailures.inc(),
    }),
    auth: new AuthRouter({ ...features.users.router, sendError }),
    cors: corsFor(config.corsOrigins),
    express: createPages({
      operation: { db, metrics, metricsToken, production, isReady },
      oauth: { ...features.oauth, baseUrl },
      session: { page: features.sessionPage, rates },
      sandbox: production ? undefined : { baseUrl, clock, query, outbound },
      logger,
    }),
    metrics,
    logger,
    isOpen: config.roles.has('api'),
    stopping,
  });
  return { handler, rest, ws, sse };
}
