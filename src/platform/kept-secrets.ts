import { randomBytes } from 'node:crypto';
import { lockSql } from './db/advisory-locks.js';
import { type Database } from './db/database.js';
import { newUuid } from './ids/ids.js';
import { type Logger } from './logging/logger.js';
import { type Secrets } from './encryption/secrets.js';

/** The account that secrets of the whole installation are sealed for: none has it. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';
const BYTES = 32;

/** Secrets for one purpose. The first one signs, each one verifies. */
export type KeptSecrets = readonly [Buffer, ...Buffer[]];

/**
 * Reads the random secrets of the installation for a purpose, and creates the first one. They are sealed in the database, so
 * that they outlive a rotation of ENCRYPTION_KEY, unlike `Secrets.derive`. One that no key decrypts is left as it is: it
 * verifies again once its key is back. Further processes that start at the same time wait for each other.
 */
export async function keptSecrets(
  { db, secrets, logger }: { db: Database; secrets: Secrets; logger: Logger },
  name: string,
  now: Date,
): Promise<KeptSecrets> {
  return db.transaction(async (tx) => {
    await tx.query(`SELECT ${lockSql('keptSecrets')}`);
    const rows = await tx.query<{ id: string; secret: string }>(
      `SELECT id::text AS id, secret FROM kept_secrets WHERE name = $1 ORDER BY id`,
      [name],
    );
    const opened = rows.map(({ id, secret }) =>
      secrets.tryOpen(secret, { accountId: NO_ACCOUNT, table: 'kept_secrets', id }),
    );
    const [first, ...rest] = opened.filter((text) => text !== null).map((text) => Buffer.from(text, 'base64url'));
    if (first !== undefined) return [first, ...rest];
    if (rows.length > 0) logger.error({ name }, 'no key of ENCRYPTION_KEY decrypts the secret: a new one is used');
    const [id, secret] = [newUuid(now), randomBytes(BYTES)];
    const sealed = secrets.seal(secret.toString('base64url'), { accountId: NO_ACCOUNT, table: 'kept_secrets', id });
    await tx.query(`INSERT INTO kept_secrets (id, account_id, name, secret) VALUES ($1, $2, $3, $4)`, [
      id,
      NO_ACCOUNT,
      name,
      sealed,
    ]);
    return [secret];
  });
}
