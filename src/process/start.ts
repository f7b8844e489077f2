import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { ConfigError, loadConfig, type LoadedConfig } from '../platform/config/config.js';
import { type DatabaseLocation, openDatabase } from './database-location.js';
import { type App } from '../features/integrations/apps/app.js';
import { createLogger, errorFields, type Logger } from '../platform/logging/logger.js';
import { packageRoot } from '../platform/package-root.js';
import { EXIT_CONFIG } from './node-version.js';

/** Reads the configuration and APPS_FILE; all errors of both are reported at once. */
async function configure(): Promise<{ loaded: LoadedConfig; apps: App[] }> {
  const { loaded, read, faults } = tryConfig();
  const apps: App[] = [];
  if (read.appsFile !== undefined) {
    const { builtInTypes } = await import('../features/integrations/apps/index.js');
    const { parseAppsFile } = await import('../features/integrations/apps/apps-file.js');
    const parsed = parseAppsFile(read.appsFile, builtInTypes);
    apps.push(...parsed.apps);
    faults.push(...parsed.faults);
  }
  if (read.signingSecrets.size > 0) {
    const { signingSecretFaults } = await import('../features/integrations/apps/signing-secrets.js');
    faults.push(...signingSecretFaults(read.signingSecrets, apps));
  }
  if (loaded === undefined || faults.length > 0) throw new ConfigError(faults);
  return { loaded, apps };
}

function tryConfig(): { loaded: LoadedConfig | undefined; read: ConfigError['read']; faults: string[] } {
  try {
    const loaded = loadConfig();
    return { loaded, read: loaded.secrets, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { loaded: undefined, read: error.read, faults: [...error.faults] };
  }
}

/** Starts the service and stops it on a signal. Ends the process with a plain line if it cannot start. */
export async function start(): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`The configuration has ${error.faults.length} error(s), nothing was started:\n`);
      for (const fault of error.faults) process.stderr.write(`  ${fault}\n`);
      process.exit(EXIT_CONFIG);
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function run(): Promise<void> {
  // Reuses the code that V8 compiled at an earlier start: that saves a fifth of the time. Without write access it
  // starts uncached.
  enableCompileCache(join(packageRoot, 'dist/.compile-cache'));
  const { loaded, apps } = await configure();
  const logger = createLogger(loaded.config.logLevel);
  // Before most of the code is loaded: a second service on the directory fails at once.
  const database = await openDatabase(loaded.config, loaded.secrets, 'service', (line) => logger.info(line));
  await serve(loaded, apps, database, logger);
}

async function serve(loaded: LoadedConfig, apps: App[], database: DatabaseLocation, logger: Logger): Promise<void> {
  const { createServer } = await import('./server.js');
  const { welcome } = await import('./welcome.js');
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
  await welcome(server, logger, loaded.config);
  flushCompileCache();
}
