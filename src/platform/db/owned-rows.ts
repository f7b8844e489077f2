import { type QueryResultRow } from 'pg';
import { AppError, notFound } from '../errors.js';
import { fromPublicId, type IdPrefix } from '../ids/ids.js';
import { columnsOf, type EntityClass } from './columns.js';
import { type Queryable } from './database.js';

/** Tables whose ids are part of requests, with the prefix of the ids and the word for one row. */
const TABLES = {
  workflows: ['wf', 'workflow'],
  integrations: ['int', 'integration'],
  triggers: ['trg', 'trigger'],
  runs: ['run', 'run'],
  webhooks: ['wh', 'webhook'],
  webhook_deliveries: ['dlv', 'webhook delivery'],
  integration_changes: ['chg', 'integration status change'],
  users: ['usr', 'user'],
  invitations: ['inv', 'invitation'],
  api_keys: ['key', 'API key'],
  waits: ['wait', 'wait'],
  wait_changes: ['wch', 'wait change'],
  events: ['evt', 'event'],
  bulk_operations: ['bulk', 'bulk operation'],
  bulk_changes: ['bch', 'bulk operation change'],
} as const satisfies Record<string, readonly [IdPrefix, string]>;

/** A table whose ids are part of requests. */
export type Table = keyof typeof TABLES;

/** A row as a request names it: by its public id, in the account of the caller. */
export interface OwnedRow {
  table: Table;
  accountId: string;
  id: string;
}

/** As `OwnedRow`, with the lock that the transaction takes on the row. */
export interface LockedRow extends OwnedRow {
  lock?: 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE';
}

/**
 * Reads a row of the account: the whole entity, or the given select list.
 * @throws AppError of `notFoundOrForeign`.
 */
export function findOwned<T extends object>(
  on: Queryable,
  { lock, ...row }: LockedRow,
  what: EntityClass<T> | string,
): Promise<T> {
  const isList = typeof what === 'string';
  const columns = isList ? what : columnsOf(what, row.table);
  const text = `SELECT ${columns} FROM ${row.table} WHERE id = $1 AND account_id = $2 ${lock ?? ''}`;
  return queryOwned(on, row, (uuid) => {
    const values = [uuid, row.accountId];
    return isList ? on.query<T & QueryResultRow>(text, values) : on.select(what, text, values);
  });
}

/**
 * The row that `query` returns for a public id; its statement must name the account. An ill-formed id needs no query.
 * @throws AppError of `notFoundOrForeign` if it returns none.
 */
export async function queryOwned<T>(
  on: Queryable,
  { table, accountId, id }: OwnedRow,
  query: (uuid: string) => Promise<readonly (T | undefined)[]>,
): Promise<T> {
  const uuid = fromPublicId(TABLES[table][0], id);
  const [row] = uuid === undefined ? [] : await query(uuid);
  return row ?? Promise.reject(await notFoundOrForeign(on, table, uuid, accountId));
}

/** For the `catch` of a promise: `not_found` names the field of the body that has the id, e.g. `workflowId`. */
export function inField(field: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof AppError ? withField(error, field) : error;
  };
}

/** A `not_found` because of the id in this field; other errors stay as they are. */
export function withField(error: AppError, field: string): AppError {
  const { code, message, options } = error;
  if (code === 'not_found') return new AppError(code, message, { ...options, details: [{ field, message }] });
  return options.toPersons === undefined
    ? error
    : new AppError(code, message, { ...options, toPersons: withField(options.toPersons, field) });
}

/** The prefix of the ids of a table. */
export function prefixOf(table: Table): IdPrefix {
  return TABLES[table][0];
}

/**
 * The error for an id that was not found in the account: `unauthorized` when it belongs to another account (to users
 * that is `not_found` too), else `not_found`. The query runs only on a miss; an ill-formed id (`undefined`) needs none.
 */
export async function notFoundOrForeign(
  on: Queryable,
  table: Table,
  uuid: string | undefined,
  accountId: string,
): Promise<AppError> {
  return (await missingRows(on, table, [uuid], accountId))(uuid);
}

/** The error of `notFoundOrForeign` for each of many ids, with one query for all. */
export async function missingRows(
  on: Queryable,
  table: Table,
  uuids: readonly (string | undefined)[],
  accountId: string,
): Promise<(uuid: string | undefined) => AppError> {
  const [, thing] = TABLES[table];
  const sought = uuids.filter((uuid) => uuid !== undefined);
  const rows =
    sought.length === 0
      ? []
      : await on.query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1) AND account_id <> $2`, [
          sought,
          accountId,
        ]);
  const foreign = new Set(rows.map(({ id }) => id));
  return (uuid) =>
    uuid !== undefined && foreign.has(uuid)
      ? new AppError('unauthorized', `The ${thing} belongs to another account.`, { toPersons: notFound(thing) })
      : notFound(thing);
}
