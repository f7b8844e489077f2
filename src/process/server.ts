import 'reflect-metadata';
import { createServer as createHttpServer } from 'node:http';
import { type ApiKeyService } from '../features/api-keys/api-key.service.js';
import { type Config, type LoadedConfig } from '../platform/config/config.js';
import { type Database } from '../platform/db/database.js';
import { type OpenTransports, openTransports } from './open-transports.js';
import { Drain } from '../transports/gateway/drain.js';
import { wantsWebSocket } from '../transports/gateway/transport-fault.js';
import { InboundMessage } from '../platform/http/inbound/inbound-message.js';
import { type App } from '../features/integrations/apps/app.js';
import { AppRegistry } from '../features/integrations/apps/registry.js';
import { PeriodicJobs } from '../platform/jobs/periodic.js';
import { type Logger } from '../platform/logging/logger.js';
import { Port, READ_AHEAD } from './port.js';
import { openPlatform, type Overrides } from './open-platform.js';
import { type RestMiddleware } from '../transports/rest/router.js';
import { ensurePartitions } from '../platform/partitions/weekly-partitions.js';
import { type Features, wire } from './wire-features.js';

/** A running service. */
export interface Server {
  readonly baseUrl: string;
  readonly db: Database;
  readonly apiKeys: ApiKeyService;
  /** A new set-up link, which invalidates the previous one; undefined once a user exists. */
  newSetUpLink(): Promise<string | undefined>;
  /** REST `/v1` for another Express app: `app.use('/v1', server.restRouter)`. */
  readonly restRouter: RestMiddleware;
  /** The real folder of an embedded database. */
  readonly dataDir: string | undefined;
  /** Drains and stops everything, in reverse order of its start. A second call waits for the same end. */
  close(): Promise<void>;
}

/**
 * Limits for slow clients: headers within 5 s, the whole request within 15 s. Idle connections stay open for 61 s, but
 * the header `Keep-Alive` promises 5 s: a client that respects it never uses one that a stop is closing.
 */
const HTTP_OPTIONS = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  keepAliveTimeoutBuffer: 56_000,
  highWaterMark: READ_AHEAD,
};

/**
 * An idle connection is closed after this time, in milliseconds: its client has stopped reading. Longer than any long
 * poll.
 */
const STALLED_MS = 40_000;

/** Starts the whole service. A failed start rejects and leaves nothing running. */
export async function createServer(
  loaded: LoadedConfig,
  fileApps: readonly App[] = [],
  overrides: Overrides = {},
): Promise<Server> {
  const steps: (() => unknown)[] = [];
  const close = once(async () => {
    for (const step of steps.reverse()) await step();
  });
  try {
    return await start(loaded, fileApps, overrides, (step) => steps.push(step), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  loaded: LoadedConfig,
  fileApps: readonly App[],
  overrides: Overrides,
  undo: (step: () => unknown) => void,
  close: () => Promise<void>,
): Promise<Server> {
  const { config, secrets } = loaded;
  const { baseUrl, roles } = config;
  const platform = await openPlatform(loaded, overrides, undo);
  const { db, clock, logger, dataDir } = platform;
  await ensurePartitions(db, clock.now());
  const features = wire(platform, registryOf(loaded, fileApps));
  undo(() => features.stop());
  const stopping = new AbortController();
  const transports = await openTransports(platform, features, secrets, { undo, stopping: stopping.signal });
  const stopWork = roles.has('worker') ? startWork(features, logger) : async () => undefined;
  undo(stopWork);
  const open = await listen(config, transports);
  undo(async () => {
    open.drain.begin();
    stopping.abort();
    // In parallel with the requests: both together have 25 s.
    const handedBack = stopWork();
    await new Promise((resolve) => setTimeout(resolve, config.drainDelay));
    await closePort(open, config, transports);
    await handedBack;
  });
  return {
    baseUrl,
    db,
    apiKeys: features.apiKeys,
    newSetUpLink: () => features.users.setUp.newLink(),
    restRouter: transports.restMiddleware,
    dataDir,
    close,
  };
}

function registryOf({ config, secrets }: LoadedConfig, fileApps: readonly App[]): AppRegistry {
  const credentials = (type: string) => secrets.clients.get(type.toUpperCase());
  const signingSecret = (type: string) => secrets.signingSecrets.get(type.toUpperCase());
  return new AppRegistry({
    baseUrl: config.baseUrl,
    sandbox: !config.production,
    credentials,
    signingSecret,
    fileApps,
  });
}

/** Starts the work of the worker role. @returns the function that stops it; a second call waits for the same end. */
function startWork(features: Features, logger: Logger): () => Promise<void> {
  const workers = [new PeriodicJobs(features.jobs, logger), ...features.workers];
  workers.forEach((worker) => worker.start());
  return once(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
}

/** The open port, and what ends its connections. */
interface Open {
  drain: Drain;
  port: Port;
}

/** Binds the transports to the port. Without the role `api` there is no WebSocket. */
async function listen({ roles, port }: Config, { handler, ws }: OpenTransports): Promise<Open> {
  const isOpen = roles.has('api');
  const shouldUpgradeCallback = isOpen ? wantsWebSocket : () => false;
  const http = createHttpServer({ ...HTTP_OPTIONS, shouldUpgradeCallback, IncomingMessage: InboundMessage });
  http.timeout = STALLED_MS;
  const drain = new Drain(http);
  http.on('request', handler);
  if (isOpen) ws.attach(http);
  return { drain, port: await Port.open(http, port) };
}

/** Finishes running requests and closes subscriptions. */
async function closePort({ drain, port }: Open, { drainIdle }: Config, { ws, sse }: OpenTransports): Promise<void> {
  const drained = drain.end(port, drainIdle);
  sse.close();
  await ws.close();
  await drained;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
