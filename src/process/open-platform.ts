import { Listeners } from '../platform/admission/listeners.js';
import { StoredBytes } from '../platform/admission/daily/stored-bytes.js';
import { LongWork } from '../platform/admission/long-work.js';
import { TargetLimits } from '../platform/admission/target-limits.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { type Config, type LoadedConfig } from '../platform/config/config.js';
import { type DatabaseLocation, openDatabase, routeTo } from './database-location.js';
import { logClockAhead } from '../platform/db/clock-ahead.js';
import { createDataSource } from '../platform/db/data-source.js';
import { Database } from '../platform/db/database.js';
import { migrate } from '../platform/db/migrate.js';
import { untilConnected } from '../platform/db/availability/until-connected.js';
import { WriteProbe } from '../platform/db/availability/write-probe.js';
import { migrations } from '../platform/db/migrations/index.js';
import { entities } from './entities.js';
import { type Siblings } from '../platform/processes/siblings.js';
import { Notifications } from '../platform/notifications/notifications.js';
import { type Platform } from '../platform/platform.js';
import { createOutbound } from '../platform/http/outbound/outbound.js';
import { JobQueues } from '../platform/jobs/job-queue.js';
import { createLogger, type Logger } from '../platform/logging/logger.js';
import { SeveralAccounts } from '../features/accounts/several-accounts.js';
import { RUN_QUEUE } from '../features/runs/queue/run-queue.js';
import { smtpOptions } from '../platform/mail/smtp-options.js';
import { SmtpTransport } from '../platform/mail/smtp-transport.js';
import { keptSecrets } from '../platform/kept-secrets.js';
import { type PasswordHash, SCRYPT } from '../platform/encryption/password-hash.js';
import { Secrets } from '../platform/encryption/secrets.js';
import { type Tracing } from '../platform/tracing/span.js';
import { packageVersion } from '../platform/backup/service-version.js';

/** Replacements by the caller: tests pass a clock and a cheap hash, the process its opened database. */
export interface Overrides {
  clock?: Clock;
  logger?: Logger;
  passwordHash?: PasswordHash;
  /** The other processes of the service on this machine. */
  siblings?: Siblings | undefined;
  /** An open database; the server closes it when it stops. */
  database?: DatabaseLocation;
  /** The wait of a statement for a connection, and then its timeout, in milliseconds; 5 s by default. */
  patience?: number;
  /** Aborts a start that waits for other processes. */
  signal?: AbortSignal;
}

/** A platform with open database, connections and queues. */
export interface OpenPlatform extends Platform {
  /** The real folder of an embedded database. */
  dataDir: string | undefined;
}

/**
 * Opens the database, migrates it and starts to listen for notifications. Each opened resource registers its close with
 * `undo`.
 */
export async function openPlatform(
  { config, secrets: given }: LoadedConfig,
  overrides: Overrides,
  undo: (step: () => unknown) => void,
): Promise<OpenPlatform> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const tracing = await tracingOf(config, logger);
  undo(() => tracing?.close());
  // Must come first, so that a second service on the same directory fails here.
  const database = overrides.database ?? (await openDatabase(config, given, 'service', (line) => logger.info(line)));
  undo(() => database.stop());
  const waiting = { log: (line: string) => logger.warn(line), signal: overrides.signal };
  for (const url of new Set([database.directUrl, database.url])) await untilConnected(url, waiting);
  const route = await routeTo(database, config);
  const { isPooled } = route;
  await migrate({ url: database.directUrl, migrations, ...waiting });
  const source = createDataSource(
    { url: database.url, poolSize: config.databasePool, patience: overrides.patience, isPooled },
    entities,
  );
  await source.initialize();
  undo(() => source.destroy());
  const notifications = new Notifications(database.directUrl, logger);
  await notifications.start();
  undo(() => notifications.stop());
  const queues = new JobQueues(database.url, [RUN_QUEUE], logger, {
    isWorker: config.roles.has('worker'),
    isPooled,
  });
  await queues.start();
  undo(() => queues.stop());
  const outbound = createOutbound({
    allowPrivateNetwork: config.allowPrivateNetwork,
    allowLoopback: config.allowLoopback,
    userAgent: 'workflow-gateway',
  });
  undo(() => outbound.close());
  const db = new Database(source, overrides.patience, route);
  if (overrides.siblings?.isFirst !== false) await logClockAhead(db, clock, logger);
  const writeProbe = new WriteProbe({ url: database.url, failedAt: () => db.failedAt });
  undo(() => writeProbe.close());
  const secrets = new Secrets(database.encryptionKeys);
  const stored = new StoredBytes(
    clock,
    config.storedLimit,
    new SeveralAccounts(db, clock),
    overrides.siblings?.spending('stored'),
  );
  db.onStored = (account, bytes) => stored.add(account, bytes);
  return {
    config,
    db,
    writeProbe,
    clock,
    secrets,
    urlSecrets: await keptSecrets({ db, secrets, logger }, 'urls of waits', clock.now()),
    passwordHash: overrides.passwordHash ?? SCRYPT,
    logger,
    tracing,
    notifications,
    outbound,
    targets: new TargetLimits(),
    queues,
    listeners: new Listeners(overrides.siblings?.places('listeners')),
    longWork: new LongWork(),
    stored,
    siblings: overrides.siblings,
    smtp: given.smtpUrl === undefined ? undefined : new SmtpTransport(smtpOptions(given.smtpUrl), config.mail.from),
    oidc: given.oidc,
    dataDir: database.dataDir,
  };
}

/** The SDK of OpenTelemetry is loaded only where it is used. */
async function tracingOf({ tracing }: Config, logger: Logger): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { startTracing } = await import('./tracing/otel.js');
  return startTracing(tracing, packageVersion(), logger);
}
