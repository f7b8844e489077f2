import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { type Client } from 'pg';
import { openCopyClient } from '../copy/copy-client.js';

/** Receives the files of a copy, with names relative to PostgreSQL's folder. */
export interface CopyTarget {
  write(name: string, content: Readable | AsyncIterable<Buffer> | Buffer): Promise<void>;
}

/** A copy of the running cluster. */
export interface CopiedCluster {
  /** Everything that was acknowledged before this time is in the copy. */
  time: Date;
  /** All folders; PostgreSQL needs the empty ones too. */
  folders: string[];
}

const CONTROL_FILE = 'global/pg_control';
/** Folders whose content a start creates again, as PostgreSQL's manual lists them. */
const EMPTIED = [
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
/** Of one run of the server, or of the service around it. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|.*\/pgsql_tmp.*|(?:.*\/)?pg_internal\.init.*|backup_label.*|tablespace_map.*|gateway\.(?:holders|log).*)$/;

/**
 * Copies the files of the running cluster and the WAL that makes them consistent, as PostgreSQL's manual describes it
 * (Low-Level Base Backup). Writers are not blocked. A temporary replication slot keeps the WAL; it ends with its
 * connection, also when this process is killed.
 */
export async function copyCluster(
  { url, pgData }: { url: string; pgData: string },
  target: CopyTarget,
  signal: AbortSignal | undefined,
): Promise<CopiedCluster> {
  const client = await openCopyClient(url);
  try {
    await client.query(`SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
    const start = await first<{ segment: string }>(
      client,
      `SELECT pg_walfile_name(pg_backup_start('workflow-gateway', true)) AS segment`,
    );
    const { files, folders } = list(pgData);
    for (const name of files) {
      signal?.throwIfAborted();
      await copyFile(pgData, name, target);
    }
    await target.write(CONTROL_FILE, await readStable(join(pgData, CONTROL_FILE)));
    // A commit that was acknowledged before this time is in the WAL before the end of the backup.
    const { time } = await first<{ time: Date }>(client, 'SELECT clock_timestamp() AS time');
    const stop = await first<{ label: string; segment: string }>(
      client,
      'SELECT labelfile AS label, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)',
    );
    await target.write('backup_label', Buffer.from(stop.label));
    const size = await first<{ bytes: string }>(
      client,
      `SELECT setting AS bytes FROM pg_settings WHERE name = 'wal_segment_size'`,
    );
    for (const segment of segmentsBetween(start.segment, stop.segment, Number(size.bytes)))
      await target.write(`pg_wal/${segment}`, createReadStream(join(pgData, 'pg_wal', segment)));
    return { time, folders };
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      'An older version of the service runs this database: restart the service, then repeat the backup.',
      {
        cause: error,
      },
    );
  } finally {
    await client.end();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

async function first<T extends object>(client: Client, statement: string): Promise<T> {
  return (await client.query<T>(statement)).rows[0]!;
}

/** The files to copy and all folders. */
function list(pgData: string): { files: string[]; folders: string[] } {
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of readdirSync(pgData, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(pgData.length + 1);
    const inside = EMPTIED.find((folder) => name.startsWith(`${folder}/`));
    if (entry.isDirectory()) {
      if (inside === undefined || inside === 'pg_wal') folders.push(name);
    } else if (inside === undefined && entry.isFile() && !LEFT_OUT.test(name) && name !== CONTROL_FILE)
      files.push(name);
  }
  return { files: files.sort(), folders: folders.sort() };
}

/** A file that was dropped in between is left out: its removal is in the WAL. */
async function copyFile(pgData: string, name: string, target: CopyTarget): Promise<void> {
  const stream = createReadStream(join(pgData, name), { highWaterMark: 2 ** 20 });
  const opened = await new Promise<boolean>((resolve, reject) => {
    stream.once('ready', () => resolve(true));
    stream.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(false) : reject(error)));
  });
  if (opened) await target.write(name, stream);
}

/** Reads a small file until two readings agree, so that no write in between is half in it. */
async function readStable(path: string): Promise<Buffer> {
  for (let before = readFileSync(path); ;) {
    const after = readFileSync(path);
    if (after.equals(before)) return after;
    before = after;
  }
}

/** The names of all WAL segments from one to another of the same timeline. */
export function segmentsBetween(from: string, to: string, bytes: number): string[] {
  const perLog = 2 ** 32 / bytes;
  const numberOf = (name: string) => parseInt(name.slice(8, 16), 16) * perLog + parseInt(name.slice(16), 16);
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const names: string[] = [];
  for (let number = numberOf(from); number <= numberOf(to); number += 1)
    names.push(`${to.slice(0, 8)}${hex(Math.floor(number / perLog))}${hex(number % perLog)}`);
  return names;
}
