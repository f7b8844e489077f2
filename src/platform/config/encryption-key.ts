import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'encryption.key';

/**
 * The encryption key of an embedded database, created at its first start in a file that only its owner can read.
 * Without it the stored credentials cannot be decrypted: back up both together.
 */
export function embeddedEncryptionKey(dataDir: string): Buffer {
  const path = join(dataDir, FILE);
  return read(path) ?? make(path);
}

function read(path: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
    if (key.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64: restore it from a backup.`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file and links it into place: a crash leaves a whole key or none, and of two processes one wins.
 */
function make(path: string): Buffer {
  const aside = `${path}.${process.pid}`;
  const file = openSync(aside, 'w', 0o600);
  writeSync(file, `${randomBytes(32).toString('base64')}\n`);
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
