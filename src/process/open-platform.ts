import { Listeners } from '../platform/admission/listeners.js';
import { LongWork } from '../platform/admission/long-work.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { type LoadedConfig } from '../platform/config/config.js';
import { type DatabaseLocation, openDatabase } from './database-location.js';
import { logClockAhead } from '../platform/db/clock-ahead.js';
import { createDataSource } from '../platform/db/data-source.js';
import { Database } from '../platform/db/database.js';
import { migrate } from '../platform/db/migrate.js';
import { migrations } from '../platform/db/migrations/index.js';
import { entities } from './entities.js';
import { Notifications } from '../platform/notifications/notifications.js';
import { type Platform } from '../platform/platform.js';
import { createOutbound } from '../platform/http/outbound/outbound.js';
import { JobQueues } from '../platform/jobs/job-queue.js';
import { createLogger, type Logger } from '../platform/logging/logger.js';
import { RUN_QUEUE } from '../features/runs/queue/run-queue.js';
import { smtpOptions } from '../platform/mail/smtp-options.js';
import { SmtpTransport } from '../platform/mail/smtp-transport.js';
import { Secrets } from '../platform/encryption/secrets.js';

/** Replacements by the caller: tests pass a clock, the process its opened database. */
export interface Overrides {
  clock?: Clock;
  logger?: Logger;
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
  // Must come first, so that a second service on the same directory fails here.
  const database = overrides.database ?? (await openDatabase(config, given, 'service', (line) => logger.info(line)));
  undo(() => database.stop());
  await migrate({ url: database.url, migrations, log: (line) => logger.warn(line), signal: overrides.signal });
  const source = createDataSource(
    { url: database.url, poolSize: config.databasePool, patience: overrides.patience },
    entities,
  );
  await source.initialize();
  undo(() => source.destroy());
  const notifications = new Notifications(database.url, logger);
  await notifications.start();
  undo(() => notifications.stop());
  const queues = new JobQueues(database.url, [RUN_QUEUE], logger, { isWorker: config.roles.has('worker') });
  await queues.start();
  undo(() => queues.stop());
  const outbound = createOutbound({
    allowPrivateNetwork: config.allowPrivateNetwork,
    allowLoopback: config.allowLoopback,
    userAgent: 'workflow-gateway',
  });
  undo(() => outbound.close());
  const db = new Database(source, overrides.patience);
  await logClockAhead(db, clock, logger);
  return {
    config,
    db,
    clock,
    secrets: new Secrets(database.encryptionKeys),
    logger,
    notifications,
    outbound,
    queues,
    listeners: new Listeners(),
    longWork: new LongWork(),
    smtp: given.smtpUrl === undefined ? undefined : new SmtpTransport(smtpOptions(given.smtpUrl), config.mail.from),
    oidc: given.oidc,
    dataDir: database.dataDir,
  };
}
