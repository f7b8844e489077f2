import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { UnreadableError } from './unreadable.js';

/**
 * The row that a sealed text belongs to, bound as additional data: a text copied to another row cannot be decrypted
 * there.
 */
export interface SealContext {
  accountId: string;
  table: string;
  id: string;
}

/** SHA-256 of a text or bytes, stored in place of a bearer secret that is only ever compared. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Whether two texts are equal; compared in constant time, by digests, which have one length. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

/** `bytes` random bytes as base64url: 32 give 43 characters and 256 bits. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

const VERSION = 'v1';
/** Length of a key's id: the first characters of its SHA-256 in hex. */
const KEY_ID_LENGTH = 8;

/**
 * Encrypts texts for the database with AES-256-GCM (NIST SP 800-38D) and a random 96-bit IV each. Format: `v1.<key
 * id>.<iv>.<ciphertext and tag>`, base64url. The first key of the ring encrypts, every key can decrypt.
 */
export class Secrets {
  private readonly ring: Map<string, Buffer>;
  private readonly newest: string;

  /** @throws RangeError when the ring is empty or a key is not 32 bytes. */
  constructor(keys: readonly Buffer[]) {
    this.ring = new Map();
    for (const key of keys) {
      if (key.length !== 32) throw new RangeError('An encryption key must be 32 bytes.');
      this.ring.set(sha256(key).toString('hex').slice(0, KEY_ID_LENGTH), key);
    }
    const [newest] = this.ring.keys();
    if (newest === undefined) throw new RangeError('At least one encryption key is needed.');
    this.newest = newest;
  }

  seal(text: string, context: SealContext): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.newest), iv).setAAD(additionalData(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.newest, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws UnreadableError when the text was changed, belongs to another row, or its key has left the ring. */
  open(sealed: string, context: SealContext): string {
    const [version, keyId, iv, data] = sealed.split('.');
    if (version !== VERSION || keyId === undefined || iv === undefined || data === undefined)
      throw new UnreadableError('Not a sealed text.');
    const key = this.key(keyId);
    try {
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
      decipher.setAAD(additionalData(context)).setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new UnreadableError('A sealed text was changed, or belongs to another row.', { cause: error });
    }
  }

  /** As `open`; null for a null or a text that cannot be decrypted. */
  tryOpen(sealed: string | null, context: SealContext): string | null {
    if (sealed === null) return null;
    try {
      return this.open(sealed, context);
    } catch {
      return null;
    }
  }

  /** Whether a key of the ring sealed a text; the beginning of the text is enough. */
  knows(sealed: string): boolean {
    return this.ring.has(keyIdOf(sealed));
  }

  /** The ids of the keys, newest first. */
  get keyIds(): string[] {
    return [...this.ring.keys()];
  }

  /** The prefix of texts that the newest key sealed. */
  get newestPrefix(): string {
    return `${VERSION}.${this.newest}.`;
  }

  /** A secret for one purpose from each key of the ring, newest first (HKDF-SHA-256, RFC 5869): 32 bytes in base64url. */
  derive(purpose: string): [string, ...string[]] {
    const derived = [...this.ring.values()].map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', `workflow-gateway ${purpose}`, 32)).toString('base64url'),
    );
    return derived as [string, ...string[]];
  }

  private key(id: string): Buffer {
    const key = this.ring.get(id);
    if (key === undefined)
      throw new UnreadableError(`Encryption key ${id} is not in ENCRYPTION_KEY: add it back behind the newest one.`);
    return key;
  }
}

/** The id of the key that sealed a text; its first 16 characters are enough. Empty for anything else. */
export function keyIdOf(sealed: string): string {
  const [version, keyId] = sealed.split('.', 2);
  return version === VERSION && keyId !== undefined ? keyId : '';
}

function additionalData({ accountId, table, id }: SealContext): Buffer {
  return Buffer.from(`${accountId}:${table}:${id}`);
}
