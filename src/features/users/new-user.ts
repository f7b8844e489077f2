import { type Queryable } from '../../platform/db/database.js';
import { AppError, type ErrorDetail, validationError } from '../../platform/errors.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { textFault } from '../../platform/validation.js';
import { PASSWORD } from './sign-in/auth-library.js';
import { emailFault } from './email-address.js';

/** The `provider` of a password credential. */
const PASSWORD_PROVIDER = 'credential';

/** The first credential of a user: the hash of a password, or the subject at an OIDC issuer. */
export type Proof = { passwordHash: string } | { issuer: string; subject: string };

/** A user to create. */
export interface NewUser {
  accountId: string;
  email: string;
  emailVerified: boolean;
  name: string;
  proof: Proof;
}

/**
 * Validates the profile of a new user; `email` only if no invitation determines it. @throws AppError
 * `validation_error`.
 */
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

/**
 * Inserts a user with a first credential. @returns the uuid. @throws AppError `conflict` if the address belongs to a
 * user.
 */
export async function insertUser(tx: Queryable, { accountId, email, emailVerified, name, proof }: NewUser, now: Date) {
  const uuid = newUuid(now);
  const made = await tx.query(
    `INSERT INTO users (id, account_id, email, email_verified, name, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (email) DO NOTHING RETURNING 1 AS one`,
    [uuid, accountId, email.toLowerCase(), emailVerified, name, timeOf(uuid)],
  );
  if (made.length === 0) throw new AppError('conflict', 'There is a user with this email address: sign in.');
  if (!(await insertCredential(tx, uuid, proof, now)))
    throw new AppError('conflict', 'You are a user already: sign in.');
  // Also for users who came by an invitation: otherwise the links would work again after all users are removed.
  await tx.query(`DELETE FROM set_up_links`);
  return uuid;
}

/** Adds a credential. @returns false if a user has it already: it stays with that user. */
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

/** Sets or replaces the password of a user. */
export async function setPassword(tx: Queryable, userId: string, passwordHash: string, now: Date): Promise<void> {
  const changed = await tx.query(
    `UPDATE user_credentials SET password = $3, updated_at = $4 WHERE provider = $1 AND subject = $2 RETURNING 1 AS one`,
    [PASSWORD_PROVIDER, userId, passwordHash, now],
  );
  if (changed.length === 0) await insertCredential(tx, userId, { passwordHash }, now);
}
