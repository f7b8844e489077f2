import { AsyncLocalStorage } from 'node:async_hooks';
import { type Queryable } from '../db/database.js';

/** In a chain of calls that changes a password: the hash that the present one was judged by. No other is replaced. */
export const judgedBy = new AsyncLocalStorage<string>();

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
