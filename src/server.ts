import 'reflect-metadata';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Authentication } from './api-keys/authentication.js';
import { type ApiKeyService } from './api-keys/api-key.service.js';
import { KeyWatch } from './api-keys/key-watch.js';
import { type Clock, systemClock } from './clock.js';
import { type LoadedConfig } from './config/config.js';
import { type DatabaseHome, openDatabaseHome } from './database-home.js';
import { createDataSource } from './db/data-source.js';
import { Database } from './db/database.js';
import { migrate } from './db/migrate.js';
import { migrations } from './db/migrations/index.js';
import { entities } from './entities.js';
import { Notifications } from './events/notifications.js';
import { corsFor } from './gateway/cors.js';
import { drain } from './gateway/drain.js';
import { createHandler } from './gateway/handler.js';
import { Metrics } from './gateway/metrics.js';
import { createPages } from './gateway/pages.js';
import { createApollo } from './graphql/apollo.js';
import { GraphqlHttp } from './graphql/graphql.router.js';
import { buildGatewaySchema } from './graphql/schema.js';
import { SseSubscriptions } from './graphql/subscriptions.sse.js';
import { WsSubscriptions } from './graphql/subscriptions.ws.js';
import { HookStore } from './hooks/hook-store.js';
import { createInboundHooks } from './hooks/inbound-hook.router.js';
import { createOutbound } from './http/outbound.js';
import { type App } from './integrations/apps/app.js';
import { AppRegistry } from './integrations/apps/registry.js';
import { PeriodicJobs } from './jobs/periodic.js';
import { RateLimits } from './rate-limits.js';
import { createLogger, type Logger } from './logger.js';
import { type RestMiddleware, RestRouter, sendError } from './rest/router.js';
import { ensurePartitions } from './runs/run-partitions.js';
import { Secrets } from './secrets.js';
import { wire } from './wiring.js';

/** What a caller brings itself in the place of the real thing: tests a clock, the process its database. */
export interface Overrides {
  clock?: Clock;
  logger?: Logger;
  /** A database that is open already; the server closes it at its end. */
  home?: DatabaseHome;
}

/** A service that listens. */
export interface Server {
  readonly baseUrl: string;
  readonly db: Database;
  readonly apiKeys: ApiKeyService;
  /** REST `/v1` for an Express app of others: `app.use('/v1', server.restRouter)`. */
  readonly restRouter: RestMiddleware;
  /** Where an embedded database really is. */
  readonly dataDir: string | undefined;
  /** Drains and stops everything, in the reverse order of its start; again: waits for the same end. */
  close(): Promise<void>;
}

/** Slow clients are cut off: headers within 5 s, the whole request within 15 s. */
const HTTP_OPTIONS = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};

/** Starts the whole service. Rejects when it can't, with nothing left running. */
export async function createServer(
  { config, secrets: given }: LoadedConfig,
  fileApps: readonly App[] = [],
  overrides: Overrides = {},
): Promise<Server> {
  const undo: (() => unknown)[] = [];
  const close = once(async () => {
    for (const step of undo.reverse()) await step();
  });
  try {
    return await start({ config, secrets: given }, fileApps, overrides, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  { config, secrets: given }: LoadedConfig,
  fileApps: readonly App[],
  overrides: Overrides,
  undo: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Server> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);

  // Must come first, so that a second service on the same directory fails here.
  const home = overrides.home ?? (await openDatabaseHome(config, given, 'service', (line) => logger.info(line)));
  undo.push(() => home.stop());
  const source = createDataSource({ url: home.url, poolSize: config.databasePool }, { entities, migrations });
  await source.initialize();
  undo.push(() => source.destroy());
  await migrate(source, home.url);
  const db = new Database(source);
  await ensurePartitions(db, clock.now());
  const notifications = new Notifications(home.url, logger);
  await notifications.start();
  undo.push(() => notifications.stop());
  const outbound = createOutbound({ allowPrivateNetwork: config.allowPrivateNetwork, userAgent: 'workflow-gateway' });
  undo.push(() => outbound.close());

  const secrets = new Secrets(home.encryptionKeys);
  const credentials = (type: string) => given.clients.get(type.toUpperCase());
  const apps = new AppRegistry({ baseUrl: config.baseUrl, sandbox: !config.production, credentials, fileApps });
  const features = wire({ config, db, clock, secrets, logger, notifications, outbound, apps });
  undo.push(() => features.stop());

  const rates = new RateLimits(clock, config.rateLimits);
  const authentication = new Authentication(db, clock, logger, notifications);
  const keyWatch = new KeyWatch(db, clock, logger, notifications);
  keyWatch.start();
  undo.push(() => keyWatch.stop());
  const schema = buildGatewaySchema(features.resolvers);
  const apollo = createApollo(schema, rates, logger);
  await apollo.start();
  undo.push(() => apollo.stop());
  const rest = new RestRouter(
    schema,
    (request) => authentication.ofRequest(request),
    rates,
    features.idempotency,
    logger,
  );
  const ws = new WsSubscriptions({ schema, authentication, keyWatch, logger, newRequestId: randomUUID });
  const sse = new SseSubscriptions({ schema, authentication, keyWatch, logger });
  const metrics = new Metrics({
    websocket_connections: { help: 'Open WebSockets.', read: () => ws.count },
    event_streams: { help: 'Open event streams (SSE).', read: () => sse.count },
    change_listeners: { help: 'Who listens for changes of integrations.', read: () => features.changeListeners() },
    database_statements: { help: 'Statements sent since the start.', read: () => db.statements },
  });
  const hookStore = new HookStore(db, clock, secrets);
  undo.push(() => hookStore.close());
  if (config.roles.has('worker')) {
    const jobs = new PeriodicJobs(features.jobs, logger);
    jobs.start();
    undo.push(() => jobs.stop());
  }

  const stopping = new AbortController();
  const pages = createPages({
    operation: {
      db,
      metrics,
      metricsToken: given.metricsToken,
      production: config.production,
      isReady: () => !stopping.signal.aborted,
    },
    oauth: { ...features.oauth, baseUrl: config.baseUrl },
    sandbox: config.production
      ? undefined
      : { baseUrl: config.baseUrl, clock, query: (text, values) => db.query(text, values) },
    logger,
  });
  const hooks = createInboundHooks({
    store: hookStore,
    refusal: (token) => rates.take('hook', token)?.refusal,
    logger,
    sendError,
    onBadSignature: () => metrics.hookSignatureFailures.inc(),
  });
  const handler = createHandler({
    rest,
    graphql: new GraphqlHttp(apollo, authentication, rates, logger),
    sse,
    hooks,
    cors: corsFor(config.corsOrigins),
    express: pages,
    metrics,
    logger,
    stopping: stopping.signal,
  });
  const http = createHttpServer(HTTP_OPTIONS, handler);
  ws.attach(http);
  await listen(http, config.port);
  undo.push(async () => {
    stopping.abort();
    await new Promise((resolve) => setTimeout(resolve, config.drainDelay));
    const drained = drain(http);
    sse.close();
    await ws.close();
    await drained;
  });
  return {
    baseUrl: config.baseUrl,
    db,
    apiKeys: features.apiKeys,
    restRouter: rest.middleware,
    dataDir: home.dataDir,
    close,
  };
}

async function listen(server: HttpServer, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
