import { type Config, type ConfigSecrets } from '../platform/config/config.js';
import { embeddedEncryptionKey } from '../platform/config/encryption-key.js';
import { attachEmbedded, startEmbedded } from '../platform/db/embedded/embedded-postgres.js';

/** A database that is there, with the keys that open what is sealed in it. */
export interface DatabaseLocation {
  url: string;
  encryptionKeys: readonly Buffer[];
  /** Where an embedded database really is; undefined for one of DATABASE_URL. */
  dataDir: string | undefined;
  stop(): Promise<void>;
}

/**
 * The database of the configuration: that of `DATABASE_URL`, else the embedded one, started by a service or attached to
 * by a command beside it. @throws Error with a sentence and its remedy.
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
