import { AsyncLocalStorage } from 'node:async_hooks';
import { type Queryable } from '../../../platform/db/database.js';

/** A change of a password that is under way. */
export interface PasswordChange {
  /** The hash that the present one was judged by. No other is replaced. */
  verifiedHash: string;
  /** Whether every session ends with it. */
  endsSessions: boolean;
}

/** What a chain of calls changes a password with. */
export const passwordChange = new AsyncLocalStorage<PasswordChange>();

/** The stored hash of a user's password, by address in lower case or by uuid; undefined for who has none. */
export function storedPassword(on: Queryable, by: 'email' | 'id', value: string): Promise<string | undefined> {
  return read(on, by, value, '');
}

/** Like `storedPassword`, once whoever is changing it at this moment has done so. */
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
