import { type Queryable } from '../../platform/db/database.js';
import { AppError, type ErrorDetail, validationError } from '../../platform/errors.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { textFault } from '../../platform/validation.js';
import { PASSWORD } from './sign-in/auth-library.js';
import { emailFault } from './email-address.js';

/** The provider of a credential that is a password. */
const PASSWORD_PROVIDER = 'credential';

/** How a new user will prove who they are: the hash of a password, or an issuer's subject. */
export type Proof = { passwordHash: string } | { issuer: string; subject: string };

export interface NewUser {
  accountId: string;
  email: string;
  emailVerified: boolean;
  name: string;
  proof: Proof;
}

/** What people fill in of themselves; `email` only where no invitation says it. @throws AppError `validation_error`. */
export function checkProfile(given: { name: unknown; password: unknown; email?: unknown }): void {
  const faults: [string, string | undefined][] = [
    ['name', textFault(given.name, 1, 255)],
    ['email', 'email' in given ? emailFault(given.email) : undefined],
    ['password', textFault(given.password, PASSWORD.min, PASSWORD.max)],
  ];
  const details = faults.flatMap(([field, message]): ErrorDetail[] =>
    message === undefined ? [] : [{ field, message }],
  );
  const [first, ...rest] = details;
  if (first !== undefined) throw validationError(first, ...rest);
}

/** Writes a user with the first credential. @returns the uuid. @throws AppError `conflict` when the address is a user's. */
export async function insertUser(tx: Queryable, { accountId, email, emailVerified, name, proof }: NewUser, now: Date) {
  const uuid = newUuid(now);
  const made = await tx.query(
    `INSERT INTO users (id, account_id, email, email_verified, name, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (email) DO NOTHING RETURNING 1 AS one`,
    [uuid, accountId, email.toLowerCase(), emailVerified, name, timeOf(uuid)],
  );
  if (made.length === 0) throw new AppError('conflict', 'There is a user with this e-mail address: sign in.');
  if (!(await insertCredential(tx, uuid, proof, now)))
    throw new AppError('conflict', 'You are a user already: sign in.');
  // Also where the first one came by an invitation: else the link would work again once they are all removed.
  await tx.query(`DELETE FROM set_up_link`);
  return uuid;
}

/** Adds a way for a user to sign in. @returns false for one that a user has already: it stays theirs. */
export async function insertCredential(tx: Queryable, userId: string, proof: Proof, now: Date): Promise<boolean> {
  const uuid = newUuid(now);
  const isPassword = 'passwordHash' in proof;
  const added = await tx.query(
    `INSERT INTO user_credentials (id, user_id, provider, subject, password, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (provider, subject) DO NOTHING RETURNING 1 AS one`,
    [
      uuid,
      userId,
      isPassword ? PASSWORD_PROVIDER : proof.issuer,
      isPassword ? userId : proof.subject,
      isPassword ? proof.passwordHash : null,
      timeOf(uuid),
    ],
  );
  return added.length > 0;
}

/** Whether a user can sign in by password. */
export async function hasPassword(on: Queryable, userId: string): Promise<boolean> {
  const rows = await on.query(`SELECT 1 AS one FROM user_credentials WHERE provider = $1 AND subject = $2`, [
    PASSWORD_PROVIDER,
    userId,
  ]);
  return rows.length > 0;
}

/** Gives a user a password in the place of the one before, or the first one. */
export async function setPassword(tx: Queryable, userId: string, passwordHash: string, now: Date): Promise<void> {
  const changed = await tx.query(
    `UPDATE user_credentials SET password = $3, updated_at = $4 WHERE provider = $1 AND subject = $2 RETURNING 1 AS one`,
    [PASSWORD_PROVIDER, userId, passwordHash, now],
  );
  if (changed.length === 0) await insertCredential(tx, userId, { passwordHash }, now);
}
