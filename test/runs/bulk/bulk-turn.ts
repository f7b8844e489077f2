import { AppRegistry } from '../../../src/features/integrations/apps/registry.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { type Platform } from '../../../src/platform/platform.js';
import { openPlatform } from '../../../src/process/open-platform.js';
import { wire } from '../../../src/process/wire-features.js';
import { type TestServer } from '../../support/server.js';

interface Options {
  env?: Record<string, string>;
  /** Called before the features are wired. */
  prepare?: (platform: Platform) => void;
}

/** Runs one turn of the job that executes bulk operations, without the workers that execute runs. `logs` gets its log lines. */
export async function bulkTurn(
  { database, clock }: TestServer,
  logs: string[] = [],
  { env, prepare }: Options = {},
): Promise<void> {
  const steps: (() => unknown)[] = [];
  const loaded = loadConfig({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    ...env,
  });
  const logger = createLogger('warn', { write: (line: string) => void logs.push(line) });
  const platform = await openPlatform(loaded, { logger, clock }, (step) => steps.push(step));
  prepare?.(platform);
  const { baseUrl } = loaded.config;
  const apps = new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps: [] });
  const features = wire(platform, apps);
  steps.push(() => features.stop());
  try {
    await features.jobs.find(({ name }) => name === 'execute bulk operations')!.run();
  } finally {
    for (const step of steps.reverse()) await step();
  }
}
