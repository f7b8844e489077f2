import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The file that makes a folder a whole backup. It is written last. */
export const MANIFEST = 'manifest.json';

const text = z.string().min(1);
const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** `cluster`: the files of an embedded database. `tables`: the rows of each table. */
  kind: z.enum(['cluster', 'tables']),
  /** The version of the service that made it. */
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  /** Everything that was acknowledged before this time is in the backup. */
  time: z.iso.datetime(),
  /** The major version of PostgreSQL. */
  postgresql: z.number().int(),
  migrations: z.array(text),
  /** The ids of the encryption keys in use; `encryption.key` holds the keys, unless it was left out. */
  keys: z.array(text),
  files: z.array(z.strictObject({ name: text, bytes: z.number().int(), sha256: text })),
  /** Folders, which may be empty. */
  folders: z.array(text),
  /** With `tables`: each has a file `tables/<name>`. */
  tables: z.array(z.strictObject({ name: text, columns: z.array(text), rows: z.number().int() })),
  sequences: z.array(z.strictObject({ name: text, value: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
  partitions: z.array(z.strictObject({ name: text, table: text, bounds: text, options: z.array(text) })),
});

/** What a backup holds, as `manifest.json` says. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup that cannot be used: the message names the file. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

/** The text of a manifest, with a checksum of its own. */
export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 1)}\n`;
}

/** @throws BackupFault for a text that is damaged, or of a newer format. */
export function parseManifest(written: string): Manifest {
  const { checksum, ...rest } = parseObject(written);
  if (typeof rest.format === 'number' && rest.format > 1)
    throw new BackupFault(
      `${MANIFEST} has the format ${rest.format}: a newer version of the service made this backup.`,
    );
  if (checksum !== checksumOf(rest)) throw new BackupFault(`${MANIFEST} is damaged: its checksum is wrong.`);
  const parsed = manifestSchema.safeParse(rest);
  if (!parsed.success) throw new BackupFault(`${MANIFEST} is damaged: ${z.prettifyError(parsed.error)}`);
  const strange = [...parsed.data.files.map(({ name }) => name), ...parsed.data.folders].find(isOutside);
  if (strange !== undefined) throw new BackupFault(`${MANIFEST} names a file outside of the backup: ${strange}`);
  return parsed.data;
}

function parseObject(written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Truncated, or no JSON at all.
  }
  throw new BackupFault(`${MANIFEST} is damaged: it is no JSON object.`);
}

function isOutside(name: string): boolean {
  return name.startsWith('/') || name.split('/').some((part) => part === '..' || part === '.' || part === '');
}

function checksumOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
