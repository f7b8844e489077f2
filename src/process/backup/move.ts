import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LoadedConfig } from '../../platform/config/config.js';
import { KEY_FILE } from '../../platform/config/encryption-key.js';
import { sumOf, type TableSum } from '../../platform/db/copy/checksums.js';
import { copyOut, Snapshot } from '../../platform/db/copy/snapshot.js';
import { hasDatabase } from '../../platform/db/embedded/data-dir.js';
import { startEmbedded } from '../../platform/db/embedded/embedded-postgres.js';
import { markMoved, moveOf } from '../../platform/db/embedded/moved-mark.js';
import { loadInto, type LoadSteps } from './load-into.js';

/** How a database is moved. */
export interface MoveOptions {
  /** The postgres:// URL of an empty database. */
  to: string;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** A moved database. */
export interface Moved {
  /** Equal on both sides. */
  tables: (TableSum & { name: string })[];
  /** The file with the encryption key; undefined when it is in ENCRYPTION_KEY. */
  keyFile: string | undefined;
  dataDir: string;
}

/**
 * Copies the embedded database to a server while no service runs, and compares every table before the commit. The
 * source is left as it was, with a mark. @throws Error with a sentence; the target is empty again then.
 */
export async function move({ config, secrets }: LoadedConfig, { to, log, signal }: MoveOptions): Promise<Moved> {
  if (secrets.databaseUrl !== undefined)
    throw new Error('DATABASE_URL is set, and `move` copies the embedded database of DATA_DIR: unset it.');
  if (!hasDatabase(resolve(config.dataDir)))
    throw new Error(`There is no database in ${resolve(config.dataDir)}: set DATA_DIR as the service has it.`);
  const source = await startEmbedded({ dataDir: config.dataDir, log });
  try {
    const earlier = moveOf(source.dataDir);
    const tables = await copy(source.url, to, signal, {
      // Before a service can start on the target: whatever ends this process, two databases never start without a warning.
      afterCommit: async () => markMoved(source.dataDir, { at: new Date().toISOString(), to: withoutSecrets(to) }),
      afterAbandon: () => markMoved(source.dataDir, earlier),
    });
    const keyFile = join(source.dataDir, KEY_FILE);
    return { tables, keyFile: existsSync(keyFile) ? keyFile : undefined, dataDir: source.dataDir };
  } finally {
    await source.stop();
  }
}

async function copy(
  from: string,
  to: string,
  signal: AbortSignal,
  mark: Omit<LoadSteps, 'beforeCommit'>,
): Promise<Moved['tables']> {
  const snapshot = await Snapshot.open(from, 1);
  try {
    const tables: Moved['tables'] = [];
    const { layout, migrations, client } = snapshot;
    const rows = (table: Parameters<typeof copyOut>[1]) => copyOut(client, table);
    await loadInto(
      to,
      { ...layout, migrations, rows, signal },
      {
        beforeCommit: async (target) => {
          for (const table of layout.tables) {
            signal.throwIfAborted();
            const [original, copied] = await Promise.all([sumOf(client, table), sumOf(target, table)]);
            if (original.rows !== copied.rows || original.sum !== copied.sum)
              throw new Error(
                `The copy of ${table.name} differs from the original: ${copied.rows} of ${original.rows} rows.`,
              );
            tables.push({ name: table.name, ...original });
          }
        },
        ...mark,
      },
    );
    return tables;
  } finally {
    await snapshot.close();
  }
}

/** The URL of a database for a log or a file. */
export function withoutSecrets(url: string): string {
  const shown = new URL(url);
  return `${shown.protocol}//${shown.host}${shown.pathname}`;
}
