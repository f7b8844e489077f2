import { AsyncLocalStorage } from 'node:async_hooks';
import { type Queryable } from '../../../platform/db/database.js';

/** A change of a password in progress. */
export interface PasswordChange {
  /** The hash against which the current password was verified. The change replaces no other hash. */
  verifiedHash: string;
  /** Whether the change ends every session of the user. */
  endsSessions: boolean;
}

/** Passes a `PasswordChange` through the library to its database adapter. */
export const passwordChange = new AsyncLocalStorage<PasswordChange>();

/** The stored hash of a user's password, by address in lower case or by uuid; undefined for users without one. */
export function storedPassword(on: Queryable, by: 'email' | 'id', value: string): Promise<string | undefined> {
  return read(on, by, value, '');
}

/** Like `storedPassword`, but waits for a change in progress to commit. */
export function settledPassword(on: Queryable, by: 'email' | 'id', value: string): Promise<string | undefined> {
  return read(on, by, value, 'FOR SHARE OF c');
}

async function read(on: Queryable, by: 'email' | 'id', value: string, lock: string): Promise<string | undefined> {
  const [row] = await on.query<{ password: string }>(
    `SELECT c.password FROM user_credentials c JOIN users u ON u.id = c.user_id
     WHERE c.provider = 'credential' AND u.${by} = $1 ${lock}`,
    [value],
  );
  return row?.password;
}
