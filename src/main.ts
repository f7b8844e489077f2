import { ConfigError, loadConfig, type LoadedConfig } from './config/config.js';
import { builtInTypes } from './integrations/apps/index.js';
import { type App } from './integrations/apps/app.js';
import { parseAppsFile } from './integrations/apps/apps-file.js';
import { createLogger, errorFields } from './logger.js';
import { createServer } from './server.js';
import { welcome } from './welcome.js';

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

/** Reads the configuration and APPS_FILE; every fault of both is reported at once. */
function configure(): { loaded: LoadedConfig; apps: App[] } {
  const faults: string[] = [];
  let loaded: LoadedConfig | undefined;
  try {
    loaded = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  const text = loaded?.secrets.appsFile;
  const parsed = text === undefined ? { apps: [], faults: [] } : parseAppsFile(text, builtInTypes);
  faults.push(...parsed.faults);
  if (loaded === undefined || faults.length > 0) throw new ConfigError(faults);
  return { loaded, apps: parsed.apps };
}

async function main(): Promise<void> {
  const { loaded, apps } = configure();
  const logger = createLogger(loaded.config.logLevel);
  const server = await createServer(loaded, apps, { logger });
  await welcome(server, logger, loaded.config);
  const stop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(errorFields(error), 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`The configuration has ${error.faults.length} fault(s), nothing was started:\n`);
    for (const fault of error.faults) process.stderr.write(`  ${fault}\n`);
    process.exit(EXIT_CONFIG);
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
