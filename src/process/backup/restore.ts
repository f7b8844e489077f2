import { copyFileSync, createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KEY_FILE, keepEncryptionKeys, keyText } from '../../platform/config/encryption-key.js';
import { type LoadedConfig } from '../../platform/config/config.js';
import { type Manifest } from '../../platform/backup/manifest.js';
import { keysIn, readManifest, verifyFiles } from '../../platform/backup/read-backup.js';
import { restoreCluster } from '../../platform/db/embedded/restore-cluster.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { Secrets } from '../../platform/encryption/secrets.js';
import { isNewer, packageVersion } from '../../platform/backup/service-version.js';
import { fileOf } from './backup.js';
import { loadInto } from './load-into.js';
import { type Settled, settleRestored } from './settle-restored.js';

/** How a backup is restored. */
export interface RestoreOptions {
  folder: string;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** A restored database. */
export interface Restored extends Settled {
  manifest: Manifest;
  /** The data folder of an embedded database; undefined with DATABASE_URL. */
  dataDir: string | undefined;
  /** The file with the keys that the restore wrote; undefined when they come from ENCRYPTION_KEY. */
  keyFile: string | undefined;
}

/**
 * Restores a backup into the empty data folder or database of the configuration. Checks manifest, every file and the
 * keys first. @throws Error with a sentence; nothing is restored then.
 */
export async function restore(loaded: LoadedConfig, options: RestoreOptions): Promise<Restored> {
  const folder = resolve(options.folder);
  const manifest = readManifest(folder);
  refuseNewer(manifest);
  // Past a pooler, as migrations go.
  const { databaseUrl, databaseDirectUrl = databaseUrl } = loaded.secrets;
  if (databaseUrl !== undefined && manifest.kind === 'cluster')
    throw new Error(
      'The backup is of an embedded database: restore it without DATABASE_URL, then `workflow-gateway move` it to the server.',
    );
  if (databaseUrl === undefined && manifest.kind === 'tables')
    throw new Error('The backup is of a PostgreSQL server: set DATABASE_URL to an empty database.');
  await verifyFiles(folder, manifest, options.signal);
  const keys = ringFor(folder, manifest, loaded.secrets.encryptionKeys);
  const restored =
    databaseDirectUrl === undefined
      ? intoFolder(loaded, manifest, keys, options)
      : intoServer(databaseDirectUrl, manifest, keys, options);
  return { manifest, ...(await restored) };
}

/** @throws Error for a backup that this version cannot read. */
function refuseNewer({ version, migrations: had }: Manifest): void {
  const known = new Set(migrations.map(({ name }) => name));
  if (isNewer(version, packageVersion()) || had.some((name) => !known.has(name)))
    throw new Error(
      `Version ${version} of the service made this backup, and this is ${packageVersion()}: restore it with that version or a newer one.`,
    );
}

/** The keys that will open the sealed values: those of ENCRYPTION_KEY, else those in the backup. */
function ringFor(folder: string, manifest: Manifest, given: readonly Buffer[]): readonly Buffer[] {
  const keys = given.length > 0 ? given : keysIn(folder, manifest);
  if (keys.length === 0)
    throw new Error('The backup was made without its key: set ENCRYPTION_KEY to the key of the original.');
  const ids = new Set(new Secrets(keys).keyIds);
  if (!manifest.keys.some((id) => ids.has(id)))
    throw new Error(
      `ENCRYPTION_KEY opens no sealed value of this backup: it needs the key with the id ${manifest.keys.join(' or ')}.`,
    );
  return keys;
}

async function intoFolder(
  { config, secrets }: LoadedConfig,
  manifest: Manifest,
  keys: readonly Buffer[],
  { folder, log, signal }: RestoreOptions,
): Promise<Omit<Restored, 'manifest'>> {
  let settled: Settled | undefined;
  const writesKey = secrets.encryptionKeys.length === 0;
  const isSameKey = (path: string) => existsSync(path) && readFileSync(path, 'utf8') === keyText(keys);
  const dataDir = await restoreCluster({
    dataDir: config.dataDir,
    log,
    postgresql: manifest.postgresql,
    isExpected: (name, found) => name === KEY_FILE && isSameKey(join(found, name)),
    fill: async (pgData) => {
      for (const name of manifest.folders) mkdirSync(join(pgData, name), { recursive: true, mode: 0o700 });
      for (const { name } of manifest.files.filter((file) => file.name.startsWith('postgres/'))) {
        signal.throwIfAborted();
        const path = join(pgData, name.slice('postgres/'.length));
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        copyFileSync(join(folder, name), path);
      }
    },
    settle: async (url) => {
      settled = await settleRestored(url, { keys, manifest });
      signal.throwIfAborted();
    },
    finish: (found) => {
      if (writesKey) keepEncryptionKeys(found, keys);
    },
  });
  return { ...settled!, dataDir, keyFile: writesKey ? join(dataDir, KEY_FILE) : undefined };
}

async function intoServer(
  url: string,
  manifest: Manifest,
  keys: readonly Buffer[],
  { folder, signal }: RestoreOptions,
): Promise<Omit<Restored, 'manifest'>> {
  let settled: Settled | undefined;
  const rows = (table: { name: string }) => createReadStream(join(folder, fileOf(table)), { highWaterMark: 2 ** 18 });
  await loadInto(
    url,
    { ...manifest, rows, signal },
    {
      beforeCommit: async (_, counts) => {
        const wrong = manifest.tables.find(({ name, rows: wanted }) => counts.get(name) !== wanted);
        if (wrong !== undefined)
          throw new Error(
            `${wrong.name} has ${counts.get(wrong.name)} rows after the restore instead of ${wrong.rows}.`,
          );
      },
      afterCommit: async () => {
        settled = await settleRestored(url, { keys, manifest });
      },
    },
  );
  return { ...settled!, dataDir: undefined, keyFile: undefined };
}
