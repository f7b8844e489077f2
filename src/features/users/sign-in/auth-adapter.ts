import { type CleanedWhere, createAdapterFactory, type CustomAdapter } from 'better-auth/adapters';
import { recordAudit } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { sqlState } from '../../../platform/db/sql-state.js';
import { AppError } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { userAudit } from '../user-audit.js';
import { sessionsEnded } from './session.events.js';
import { passwordChange } from './stored-password.js';

type Row = Record<string, unknown>;

interface AdapterDependencies {
  db: Database;
  clock: Clock;
  notifications: Notifications;
}

/**
 * The tables that the library may access, with their columns. Columns are named because `*` changes when a newer
 * version adds one: connections then refuse their prepared statements.
 */
const TABLES: Readonly<Record<string, string>> = {
  users: 'id, account_id, email, email_verified, name, created_at, updated_at',
  user_sessions: 'id, user_id, digest, ip_address, user_agent, created_at, updated_at, expires_at',
  user_credentials: 'id, user_id, provider, subject, password, created_at, updated_at',
};
const OPERATORS: Readonly<Record<string, string>> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };
/** The column for a session's token; it stores the SHA-256 only. */
const DIGEST = 'digest';
/** The SQLSTATE of a foreign key violation. */
const FOREIGN_KEY = '23503';

/**
 * The database adapter for better-auth. It hashes session tokens, and publishes `sessionsEnded` when sessions are
 * deleted.
 */
export function authAdapter(deps: AdapterDependencies): ReturnType<typeof createAdapterFactory> {
  return createAdapterFactory({
    config: { adapterId: 'gateway', supportsUUIDs: true, supportsDates: true, supportsBooleans: true },
    adapter: () => tables(deps),
  });
}

/** The error for a user who was removed during sign-in. */
export function userIsGone(): AppError {
  return new AppError('unauthorized', 'This user was removed.');
}

function tables(deps: AdapterDependencies): CustomAdapter {
  const { db } = deps;
  return {
    create: async ({ model, data }) => {
      const columns = Object.keys(data);
      const marks = columns.map((_, index) => `$${index + 1}`);
      const rows = await db
        .query(
          `INSERT INTO ${table(model)} (${columns.map(column).join(', ')}) VALUES (${marks.join(', ')}) RETURNING ${columnsOf(model)}`,
          columns.map((name) => stored(name, data[name])),
        )
        .catch((error: unknown) => {
          throw sqlState(error) === FOREIGN_KEY ? userIsGone() : error;
        });
      return withToken(rows[0]!, data[DIGEST]) as typeof data;
    },
    update: async ({ model, where, update }) => (await changeWhole(deps, model, where, update as Row))[0] as never,
    updateMany: async ({ model, where, update }) => (await changeWhole(deps, model, where, update)).length,
    findOne: async ({ model, where }) => (await find(db, model, where, 1))[0] as never,
    findMany: async ({ model, where, limit }) => (await find(db, model, where ?? [], limit)) as never,
    delete: async ({ model, where }) => void (await remove(deps, model, where)),
    deleteMany: async ({ model, where }) => remove(deps, model, where),
    count: async ({ model, where }) => (await find(db, model, where ?? [], 10_000)).length,
  };
}

async function find(on: Queryable, model: string, where: readonly CleanedWhere[], limit: number): Promise<Row[]> {
  const { text, values, token } = conditions(where, 1);
  const rows = await on.query(`SELECT ${columnsOf(model)} FROM ${table(model)} ${text} LIMIT $1`, [limit, ...values]);
  return rows.map((row) => withToken(row, token));
}

/** Updates rows. A new password voids the reset link, and with `endsSessions` also ends every session. */
async function changeWhole(
  { db, clock, notifications }: AdapterDependencies,
  model: string,
  where: readonly CleanedWhere[],
  update: Row,
): Promise<Row[]> {
  if (!('password' in update)) return change(db, model, where, update);
  const { endsSessions = false } = passwordChange.getStore() ?? {};
  return db.transaction(async (tx) => {
    const rows = await change(tx, model, [...where, ...onlyVerifiedHash()], update);
    // A reset link has set another password since this one was verified.
    if (rows.length === 0) throw new AppError('conflict', 'The password was changed at the same time. Try again.');
    const users = rows.map(({ user_id }) => user_id);
    await tx.query(`DELETE FROM password_resets WHERE user_id = ANY($1)`, [users]);
    await audit(tx, clock, 'user.password_changed', users);
    if (!endsSessions) return rows;
    // The library deletes sessions before it changes the password: the old one may have started new sessions since
    // then.
    await tx.query(`DELETE FROM user_sessions WHERE user_id = ANY($1)`, [users]);
    for (const payload of usersOf(rows)) notifications.publish(tx, sessionsEnded, payload);
    return rows;
  });
}

function onlyVerifiedHash(): CleanedWhere[] {
  const value = passwordChange.getStore()?.verifiedHash;
  const password = { field: 'password', operator: 'eq', connector: 'AND', mode: 'sensitive' } as const;
  return value === undefined ? [] : [{ ...password, value }];
}

async function change(on: Queryable, model: string, where: readonly CleanedWhere[], update: Row): Promise<Row[]> {
  const columns = Object.keys(update);
  const { text, values, token } = conditions(where, columns.length);
  const set = columns.map((name, index) => `${column(name)} = $${index + 1}`);
  const rows = await on.query(`UPDATE ${table(model)} SET ${set.join(', ')} ${text} RETURNING ${columnsOf(model)}`, [
    ...columns.map((name) => stored(name, update[name])),
    ...values,
  ]);
  return rows.map((row) => withToken(row, token));
}

async function remove(
  { db, clock, notifications }: AdapterDependencies,
  model: string,
  where: readonly CleanedWhere[],
): Promise<number> {
  const { text, values } = conditions(where, 0);
  // Not a sign-out, which names its one session.
  const endsAll = model === 'user_sessions' && where.every(({ field }) => field === 'user_id');
  return db.transaction(async (tx: Transaction) => {
    const gone = await tx.query<{ user_id: string }>(
      `DELETE FROM ${table(model)} ${text} RETURNING ${columnsOf(model)}`,
      values,
    );
    for (const payload of usersOf(gone)) notifications.publish(tx, sessionsEnded, payload);
    if (endsAll)
      await audit(
        tx,
        clock,
        'user.sessions_ended',
        usersOf(gone).map(({ userId }) => userId),
      );
    return gone.length;
  });
}

async function audit(
  tx: Transaction,
  clock: Clock,
  action: 'user.password_changed' | 'user.sessions_ended',
  ids: readonly unknown[],
): Promise<void> {
  const users = await tx.query<{ uuid: string; accountId: string }>(
    `SELECT id AS uuid, account_id AS "accountId" FROM users WHERE id = ANY($1)`,
    [ids],
  );
  await recordAudit(tx, clock.now(), ...users.map((user) => userAudit(action, user)));
}

function usersOf(rows: readonly { user_id?: unknown }[]): { userId: string }[] {
  return [...new Set(rows.map(({ user_id }) => user_id as string))].map((userId) => ({ userId }));
}

/**
 * The conditions as SQL, with parameters numbered after `before`. @throws Error for conditions that are not supported.
 */
function conditions(where: readonly CleanedWhere[], before: number) {
  const parts = where.map(({ field, operator, connector, mode }, index) => {
    const sign = OPERATORS[operator];
    if (sign === undefined || connector !== 'AND' || mode !== 'sensitive') {
      throw new Error(`The sign-in library asks for ${connector} ${operator}, which its adapter does not know.`);
    }
    return `${column(field)} ${sign} $${before + index + 1}`;
  });
  return {
    text: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`,
    values: where.map(({ field, value }) => stored(field, value)),
    token: where.find(({ field }) => field === DIGEST)?.value,
  };
}

function stored(name: string, value: unknown): unknown {
  return name === DIGEST ? sha256(value as string) : value;
}

/** Puts the token back into a row that the library looked up by token: the column holds only its hash. */
function withToken(row: Row, token: unknown): Row {
  return DIGEST in row ? { ...row, [DIGEST]: token ?? '' } : row;
}

function table(model: string): string {
  if (!Object.hasOwn(TABLES, model)) throw new Error(`The sign-in library asks for the table ${model}.`);
  return model;
}

function columnsOf(model: string): string {
  return TABLES[table(model)]!;
}

function column(name: string): string {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`The sign-in library names a column ${name}.`);
  return `"${name}"`;
}
