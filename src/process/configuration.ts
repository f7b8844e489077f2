import { ConfigError, loadConfig, type LoadedConfig } from '../platform/config/config.js';
import { type App } from '../features/integrations/apps/app.js';

/** The whole configuration: the environment, and the applications of APPS_FILE. */
export interface Configuration {
  loaded: LoadedConfig;
  apps: App[];
}

/** Reads the configuration and APPS_FILE. @throws ConfigError with all errors of both. */
export async function readConfiguration(): Promise<Configuration> {
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
