import { type Pool } from 'pg';
import { isKeyText } from '../../src/features/api-keys/key-text.js';
import { sha256 } from '../../src/platform/encryption/secrets.js';

/** The row of a verified key. */
export interface Caller {
  accountId: string;
  scope: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const FRESH_MS = 900;

/**
 * Verifies keys as the service does: shape and checksum first, then the row of the digest, cached for less than a
 * second.
 */
export class KeyCheck {
  private readonly known = new Map<string, { asked: number; caller: Promise<Caller | undefined> }>();

  constructor(private readonly pool: Pool) {}

  /** Undefined when the header holds no valid key. */
  async callerOf(header: string | undefined): Promise<Caller | undefined> {
    if (header?.startsWith('Bearer ') !== true || !isKeyText(header.slice(7))) return undefined;
    const digest = sha256(header.slice(7));
    const name = digest.toString('latin1');
    let answer = this.known.get(name);
    if (answer === undefined || performance.now() - answer.asked >= FRESH_MS) {
      answer = { asked: performance.now(), caller: this.ask(digest) };
      this.known.set(name, answer);
    }
    const caller = await answer.caller;
    const isOver = caller?.revokedAt !== null || (caller.expiresAt !== null && caller.expiresAt <= new Date());
    return isOver ? undefined : caller;
  }

  private async ask(digest: Buffer): Promise<Caller | undefined> {
    const { rows } = await this.pool.query<Caller>({
      name: 'key',
      text: `SELECT account_id AS "accountId", scope, expires_at AS "expiresAt", revoked_at AS "revokedAt"
             FROM api_keys WHERE digest = $1`,
      values: [digest],
    });
    return rows[0];
  }
}
