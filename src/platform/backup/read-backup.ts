import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FILE } from '../config/encryption-key.js';
import { BackupFault, type Manifest, MANIFEST, parseManifest } from './manifest.js';

/**
 * Reads the manifest of a backup. @throws BackupFault when there is none, since the backup was not finished, or when it
 * is damaged.
 */
export function readManifest(folder: string): Manifest {
  if (!existsSync(folder)) throw new BackupFault(`There is no folder ${folder}.`);
  const path = join(folder, MANIFEST);
  if (!existsSync(path))
    throw new BackupFault(`${folder} has no ${MANIFEST}: it is no backup, or one that was not finished.`);
  return parseManifest(readFileSync(path, 'utf8'));
}

/** Compares every file with the manifest. @throws BackupFault for the first one that is missing, truncated or changed. */
export async function verifyFiles(folder: string, { files }: Manifest, signal?: AbortSignal): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    signal?.throwIfAborted();
    const found = statSync(join(folder, name), { throwIfNoEntry: false })?.size;
    if (found === undefined) throw new BackupFault(`The backup is damaged: ${name} is missing.`);
    if (found !== bytes)
      throw new BackupFault(`The backup is damaged: ${name} has ${found} bytes instead of ${bytes}.`);
    if ((await digestOf(join(folder, name))) !== sha256)
      throw new BackupFault(`The backup is damaged: the checksum of ${name} is wrong.`);
  }
}

/** The encryption keys in a backup, newest first; empty for one that was made without. */
export function keysIn(folder: string, { files }: Manifest): Buffer[] {
  if (!files.some(({ name }) => name === KEY_FILE)) return [];
  const texts = readFileSync(join(folder, KEY_FILE), 'utf8').trim().split(',');
  return texts.map((text) => Buffer.from(text, 'base64'));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
