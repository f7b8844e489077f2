import { join } from 'node:path';
import { KEY_FILE, keyText } from '../../platform/config/encryption-key.js';
import { type LoadedConfig } from '../../platform/config/config.js';
import { BackupFolder } from '../../platform/backup/backup-folder.js';
import { type Manifest } from '../../platform/backup/manifest.js';
import { majorVersion, openCopyClient } from '../../platform/db/copy/copy-client.js';
import { migrationsOf } from '../../platform/db/copy/layout.js';
import { Snapshot } from '../../platform/db/copy/snapshot.js';
import { copyCluster } from '../../platform/db/embedded/base-backup.js';
import { Secrets } from '../../platform/encryption/secrets.js';
import { packageVersion } from '../../platform/backup/service-version.js';
import { type DatabaseLocation, openDatabase } from '../database-location.js';

/** How a backup is made. */
export interface BackupOptions {
  folder: string;
  withKey: boolean;
  /** Receives single lines for the operator. */
  log: (line: string) => void;
  /** Aborts the backup, which then leaves an empty folder. */
  signal: AbortSignal;
}

/** A finished backup. */
export interface MadeBackup {
  path: string;
  manifest: Manifest;
}

type Content = Pick<
  Manifest,
  'kind' | 'time' | 'postgresql' | 'migrations' | 'folders' | 'tables' | 'partitions' | 'sequences'
>;

/**
 * Copies the database of the configuration into a new folder, while the service runs or not: the files of an embedded
 * one, the rows of all tables of another. @throws Error with a sentence; nothing is left in the folder then.
 */
export async function backup({ config, secrets }: LoadedConfig, options: BackupOptions): Promise<MadeBackup> {
  const database = await openDatabase(config, secrets, 'command', options.log);
  try {
    const folder = BackupFolder.create(options.folder);
    try {
      const content = await (database.dataDir === undefined ? copyTables : copyFiles)(database, folder, options);
      const keys = database.encryptionKeys;
      if (options.withKey) await folder.write(KEY_FILE, Buffer.from(keyText(keys)));
      options.signal.throwIfAborted();
      const manifest = folder.finish({ ...content, version: packageVersion(), keys: new Secrets(keys).keyIds });
      return { path: folder.path, manifest };
    } catch (error) {
      folder.abandon();
      throw error;
    }
  } finally {
    await database.stop();
  }
}

async function copyFiles(
  { url, dataDir }: DatabaseLocation,
  folder: BackupFolder,
  { signal }: BackupOptions,
): Promise<Content> {
  const client = await openCopyClient(url);
  const [postgresql, migrations] = [await majorVersion(client), await migrationsOf(client)];
  await client.end();
  const target = {
    write: (name: string, content: Parameters<BackupFolder['write']>[1]) => folder.write(`postgres/${name}`, content),
  };
  const { time, folders } = await copyCluster({ url, pgData: join(dataDir!, 'postgres') }, target, signal);
  const described = { postgresql, migrations, tables: [], partitions: [], sequences: [] };
  return { kind: 'cluster', time: time.toISOString(), folders, ...described };
}

async function copyTables(
  { directUrl }: DatabaseLocation,
  folder: BackupFolder,
  { signal }: BackupOptions,
): Promise<Content> {
  const snapshot = await Snapshot.open(directUrl);
  const close = () => void snapshot.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const { tables, partitions, sequences } = snapshot.layout;
    const rows = await snapshot.copyAll((table, stream) => folder.write(fileOf(table), stream));
    return {
      kind: 'tables',
      time: snapshot.time.toISOString(),
      postgresql: snapshot.postgresql,
      migrations: [...snapshot.migrations],
      folders: [],
      tables: tables.map((table) => ({ ...table, rows: rows.get(table.name)! })),
      partitions,
      sequences,
    };
  } finally {
    signal.removeEventListener('abort', close);
    await snapshot.close();
  }
}

/** The file of a table in a backup. */
export function fileOf({ name }: { name: string }): string {
  return `tables/${name.replaceAll('"', '')}`;
}
