import { type Config, type ConfigSecrets } from '../platform/config/config.js';
import { embeddedEncryptionKey } from '../platform/config/encryption-key.js';
import { attachEmbedded, startEmbedded } from '../platform/db/embedded/embedded-postgres.js';

/** An available database, with the keys that decrypt its sealed columns. */
export interface DatabaseLocation {
  url: string;
  encryptionKeys: readonly Buffer[];
  /** The real folder of an embedded database; undefined with DATABASE_URL. */
  dataDir: string | undefined;
  stop(): Promise<void>;
}

/**
 * Opens the configured database: that of `DATABASE_URL`, else the embedded one, which a service starts and a command
 * joins. @throws Error with a sentence and its remedy.
 */
export async function openDatabase(
  { dataDir }: Pick<Config, 'dataDir'>,
  secrets: Pick<ConfigSecrets, 'databaseUrl' | 'encryptionKeys'>,
  as: 'service' | 'command',
  log: (line: string) => void,
): Promise<DatabaseLocation> {
  if (secrets.databaseUrl !== undefined) {
    const { databaseUrl: url, encryptionKeys } = secrets;
    return { url, encryptionKeys, dataDir: undefined, stop: async () => undefined };
  }
  const embedded = await (as === 'service' ? startEmbedded : attachEmbedded)({ dataDir, log });
  try {
    const keys = secrets.encryptionKeys.length > 0 ? secrets.encryptionKeys : [embeddedEncryptionKey(embedded.dataDir)];
    return { url: embedded.url, encryptionKeys: keys, dataDir: embedded.dataDir, stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}
