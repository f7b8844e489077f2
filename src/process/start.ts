import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { type LoadedConfig } from '../platform/config/config.js';
import { readConfiguration } from './configuration.js';
import { moveOf } from '../platform/db/embedded/moved-mark.js';
import { type DatabaseLocation, openDatabase } from './database-location.js';
import { type App } from '../features/integrations/apps/app.js';
import { createLogger, errorFields, type Logger } from '../platform/logging/logger.js';
import { packageRoot } from '../platform/package-root.js';
import { logListening } from './listening.js';
import { failStart } from './fail-start.js';

/** Starts the service and stops it on a signal. Ends the process with a plain line if it cannot start. */
export async function start(): Promise<void> {
  try {
    await run();
  } catch (error) {
    failStart(error);
  }
}

async function run(): Promise<void> {
  // Reuses the code that V8 compiled at an earlier start: that saves a fifth of the time. Without write access it
  // starts uncached.
  enableCompileCache(join(packageRoot, 'dist/.compile-cache'));
  const { loaded, apps } = await readConfiguration();
  const logger = createLogger(loaded.config.logLevel);
  // Before most of the code is loaded: a second service on the directory fails at once.
  const database = await openDatabase(loaded.config, loaded.secrets, 'service', (line) => logger.info(line));
  const move = database.dataDir === undefined ? undefined : moveOf(database.dataDir);
  if (move !== undefined)
    logger.warn(move, 'the database in DATA_DIR was moved: set DATABASE_URL, or remove moved.json to go on here');
  if (loaded.config.processes > 1) {
    const { Supervisor } = await import('./several/supervisor.js');
    await new Supervisor(loaded, database, logger).start();
    flushCompileCache();
  } else await serve(loaded, apps, database, logger);
}

async function serve(loaded: LoadedConfig, apps: App[], database: DatabaseLocation, logger: Logger): Promise<void> {
  const { createServer } = await import('./server.js');
  const { printSetUpLink } = await import('./welcome.js');
  let stopAsked: string | undefined;
  const starting = new AbortController();
  let stop = (signal: string): void => {
    stopAsked = signal;
    starting.abort(new Error(`stopped by ${signal} before it had started`));
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop(signal));
  const server = await createServer(loaded, apps, { logger, database, signal: starting.signal });
  stop = (signal) => {
    logger.info({ signal }, 'stopping');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(errorFields(error), 'stopping failed');
        process.exit(1);
      },
    );
  };
  if (stopAsked !== undefined) return stop(stopAsked);
  logListening(logger, loaded.config, server.dataDir);
  await printSetUpLink(server, loaded.config);
  flushCompileCache();
}
