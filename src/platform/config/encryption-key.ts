import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the file in the data folder. */
export const KEY_FILE = 'encryption.key';

/**
 * The encryption keys of an embedded database, newest first. The first start creates one in a file that only its owner
 * can read. Without it the stored credentials cannot be decrypted: back up both together.
 */
export function embeddedEncryptionKeys(dataDir: string): Buffer[] {
  const path = join(dataDir, KEY_FILE);
  return read(path) ?? make(path, [randomBytes(32)]);
}

/** Writes the keys of a restored database. @throws Error when the folder has other keys. */
export function keepEncryptionKeys(dataDir: string, keys: readonly Buffer[]): void {
  const path = join(dataDir, KEY_FILE);
  if (keyText(make(path, keys)) !== keyText(keys))
    throw new Error(`${path} holds another key than the backup: set DATA_DIR to a new folder.`);
}

/** Keys as ENCRYPTION_KEY and the file write them. */
export function keyText(keys: readonly Buffer[]): string {
  return `${keys.map((key) => key.toString('base64')).join(',')}\n`;
}

function read(path: string): Buffer[] | undefined {
  try {
    const keys = readFileSync(path, 'utf8')
      .trim()
      .split(',')
      .map((text) => Buffer.from(text, 'base64'));
    if (keys.some(({ length }) => length !== 32))
      throw new Error(`${path} does not hold 32 bytes in base64: restore it from a backup.`);
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file and links it into place: a crash leaves a whole key or none, and of two processes one wins.
 */
function make(path: string, keys: readonly Buffer[]): Buffer[] {
  const aside = `${path}.${process.pid}`;
  const file = openSync(aside, 'w', 0o600);
  writeSync(file, keyText(keys));
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return read(path)!;
}
