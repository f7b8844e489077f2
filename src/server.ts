import 'reflect-metadata';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type ApiKeyService } from './api-keys/api-key.service.js';
import { type LoadedConfig } from './config/config.js';
import { type Database } from './db/database.js';
import { openDoors } from './doors.js';
import { openFloor, type Overrides } from './floor.js';
import { drain } from './gateway/drain.js';
import { wantsWebSocket } from './gateway/transport-fault.js';
import { type App } from './integrations/apps/app.js';
import { AppRegistry } from './integrations/apps/registry.js';
import { PeriodicJobs } from './jobs/periodic.js';
import { type RestMiddleware } from './rest/router.js';
import { ensurePartitions } from './runs/run-partitions.js';
import { wire } from './wiring.js';

/** A service that listens. */
export interface Server {
  readonly baseUrl: string;
  readonly db: Database;
  readonly apiKeys: ApiKeyService;
  /** A fresh set-up link, which voids the one before; undefined once there is a user. */
  newSetUpLink(): Promise<string | undefined>;
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

/** A connection on which nothing moves for so long is cut: its client reads no more. Longer than any answer is held back. */
const STALLED_MS = 40_000;

/** Starts the whole service. Rejects when it can't, with nothing left running. */
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
  const { config, secrets: given } = loaded;
  const floor = await openFloor(loaded, overrides, undo);
  const { db, clock, logger, dataDir } = floor;
  await ensurePartitions(db, clock.now());
  const credentials = (type: string) => given.clients.get(type.toUpperCase());
  const apps = new AppRegistry({ baseUrl: config.baseUrl, sandbox: !config.production, credentials, fileApps });
  const features = wire(floor, apps);
  undo(() => features.stop());
  const stopping = new AbortController();
  const { handler, rest, ws, sse } = await openDoors(floor, features, given, { undo, stopping: stopping.signal });
  let stopWork = async (): Promise<void> => undefined;
  if (config.roles.has('worker')) {
    const jobs = new PeriodicJobs(features.jobs, logger);
    const workers = [jobs, features.worker, features.webhookSender];
    workers.forEach((worker) => worker.start());
    stopWork = once(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
    undo(stopWork);
  }
  const isOpen = config.roles.has('api');
  const shouldUpgradeCallback = isOpen ? wantsWebSocket : () => false;
  const http = createHttpServer({ ...HTTP_OPTIONS, shouldUpgradeCallback }, handler);
  http.timeout = STALLED_MS;
  if (isOpen) ws.attach(http);
  await listen(http, config.port);
  undo(async () => {
    stopping.abort();
    // Beside the requests, not after them: all together have 25 s.
    const handedBack = stopWork();
    await new Promise((resolve) => setTimeout(resolve, config.drainDelay));
    const drained = drain(http);
    sse.close();
    await ws.close();
    await drained;
    await handedBack;
  });
  return {
    baseUrl: config.baseUrl,
    db,
    apiKeys: features.apiKeys,
    newSetUpLink: () => features.users.setUp.newLink(),
    restRouter: rest.middleware,
    dataDir,
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
