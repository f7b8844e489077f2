import { type Config, ConfigError, type ConfigSecrets } from '../platform/config/config.js';
import { embeddedEncryptionKeys } from '../platform/config/encryption-key.js';
import { resolve } from 'node:path';
import { AddressError, checkAddresses } from '../platform/db/connections/check-addresses.js';
import { type Route } from '../platform/db/database.js';
import { hasDatabase } from '../platform/db/embedded/data-dir.js';
import { attachEmbedded, startEmbedded } from '../platform/db/embedded/embedded-postgres.js';

/** An available database, with the keys that decrypt its sealed columns. */
export interface DatabaseLocation {
  url: string;
  /** Leads past a pooler; the same address if there is none. */
  directUrl: string;
  encryptionKeys: readonly Buffer[];
  /** The real folder of an embedded database; undefined with DATABASE_URL. */
  dataDir: string | undefined;
  stop(): Promise<void>;
}

/**
 * Connections of a process beside its pool: 4 of the job queue (1 without the role `worker`), one for LISTEN, one of the
 * write probe. Those of a migration are closed before the pool is opened.
 */
export const BESIDE_POOL = 6;
const FOR_COMMANDS = 20;

/**
 * Opens the configured database: that of `DATABASE_URL`, else the embedded one, which a service starts and a command
 * joins. @throws Error with a sentence and its remedy: also for a command if no service has begun that database.
 */
export async function openDatabase(
  { dataDir, processes, databasePool }: Pick<Config, 'dataDir' | 'processes' | 'databasePool'>,
  secrets: Pick<ConfigSecrets, 'databaseUrl' | 'databaseDirectUrl' | 'encryptionKeys'>,
  as: 'service' | 'command',
  log: (line: string) => void,
): Promise<DatabaseLocation> {
  if (secrets.databaseUrl !== undefined) {
    const { databaseUrl: url, databaseDirectUrl: directUrl = url, encryptionKeys } = secrets;
    return { url, directUrl, encryptionKeys, dataDir: undefined, stop: async () => undefined };
  }
  // A database that the command creates would hardly be the one of the service.
  if (as === 'command' && !hasDatabase(resolve(dataDir)))
    throw new Error(
      `There is no database in ${resolve(dataDir)}: start the service first, or set DATA_DIR or DATABASE_URL as it has them.`,
    );
  const connections = processes * (databasePool + BESIDE_POOL) + FOR_COMMANDS;
  const embedded = await (as === 'service'
    ? startEmbedded({ dataDir, connections, log })
    : attachEmbedded({ dataDir, log }));
  try {
    const keys = secrets.encryptionKeys.length > 0 ? secrets.encryptionKeys : embeddedEncryptionKeys(embedded.dataDir);
    const { url } = embedded;
    return {
      url,
      directUrl: url,
      encryptionKeys: keys,
      dataDir: embedded.dataDir,
      stop: () => embedded.stop(),
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** How statements reach the database. @throws ConfigError if a pooler does not fit the settings. */
export async function routeTo(
  database: DatabaseLocation,
  config: Pick<Config, 'databasePrepared'>,
): Promise<Required<Route>> {
  const { databasePrepared: isPrepared } = config;
  try {
    return { isPrepared, isPooled: await checkAddresses(database, isPrepared) };
  } catch (error) {
    throw error instanceof AddressError ? new ConfigError([error.message]) : error;
  }
}
