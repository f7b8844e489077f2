import { recordAudit } from '../audit-log/record-audit.js';
import { type Queryable, type Transaction } from '../../platform/db/database.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { sessionsEnded } from './sign-in/session.events.js';
import { userAudit } from './user-audit.js';

/** A user whose address is not proven: possibly another person, who was given the link of an invitation. */
export interface UnprovenUser {
  uuid: string;
  /** The account's name. */
  account: string;
}

/** The unproven user of an address (in lower case), in any account. */
export async function unprovenUserOf(on: Queryable, email: string): Promise<UnprovenUser | undefined> {
  const [user] = await on.query<UnprovenUser & { [key: string]: unknown }>(
    `SELECT u.id AS uuid, a.name AS account FROM users u JOIN accounts a ON a.id = u.account_id
     WHERE u.email = $1 AND NOT u.email_verified`,
    [email],
  );
  return user;
}

/**
 * Removes the unproven user of an address, in favor of the person who has proven it. Also removes the last user of an
 * account, since only one user may have the address.
 */
export async function removeUnproven(tx: Transaction, on: Notifications, now: Date, email: string): Promise<void> {
  const [user] = await tx.query<{ uuid: string; accountId: string }>(
    `DELETE FROM users WHERE email = $1 AND NOT email_verified RETURNING id AS uuid, account_id AS "accountId"`,
    [email],
  );
  if (user === undefined) return;
  on.publish(tx, sessionsEnded, { userId: user.uuid });
  await recordAudit(tx, now, userAudit('user.removed', user));
}

/**
 * Marks the address of a user as proven, and deletes earlier credentials, reset links and sessions, which may belong to
 * another person. @returns false if the user is removed or already proven.
 */
export async function proveAddress(tx: Transaction, on: Notifications, userId: string, now: Date): Promise<boolean> {
  const proven = await tx.query(
    `UPDATE users SET email_verified = true, updated_at = $2 WHERE id = $1 AND NOT email_verified RETURNING 1 AS one`,
    [userId, now],
  );
  if (proven.length === 0) return false;
  for (const table of ['user_credentials', 'passkeys', 'password_resets', 'user_sessions']) {
    await tx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  }
  on.publish(tx, sessionsEnded, { userId });
  return true;
}
