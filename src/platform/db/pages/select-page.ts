import { columnsOf, type EntityClass } from '../columns.js';
import { type Database, type Queryable } from '../database.js';
import { isFar, limitOf, offsetOf, orderOf, type Page, placesOf, type Span, toPage } from './pagination.js';
import { type IdPrefix } from '../../ids/ids.js';

/** A list of an account. */
export interface OwnedList<T extends { id: string }> {
  entity: EntityClass<T>;
  /** The prefix of its ids. */
  prefix: IdPrefix;
  /** The select list; all columns of the entity by default. */
  columns?: string;
  /** The table and its alias, e.g. `runs r`. */
  from: `${string} ${string}`;
  accountId: string;
  /** A further condition; the account is `$1`. */
  where?: string;
  /** The parameters of `where`, from `$2` on. */
  values?: readonly unknown[];
  /** The count limit; without it every row is counted. */
  countUpTo?: number;
}

/**
 * Reads a page or another span, newest first, and the total at the same time. `counting`: the target of the statement that counts; null
 * if the total is not needed, which is 0 then.
 */
export async function selectPage<T extends { id: string }>(
  on: Queryable,
  { entity, prefix, from, accountId, where, values = [], ...list }: OwnedList<T>,
  args: Span,
  counting: Queryable | null = on,
): Promise<Page<T>> {
  const alias = from.slice(from.indexOf(' ') + 1);
  const rows = `FROM ${from} WHERE ${alias}.account_id = $1${where ? ` AND ${where}` : ''}`;
  const parameters = [accountId, ...values];
  const { columns = columnsOf(entity, alias), countUpTo } = list;
  const { after, before } = placesOf(args, prefix);
  const hasPlaces = args.after != null || args.before != null;
  const [size, offset, behind, ahead] = [2, 3, 4, 5].map((number) => `$${values.length + number}`);
  const [items, counted] = await Promise.all([
    on.select(
      entity,
      `SELECT ${columns} ${rows}${hasPlaces ? ` AND ${alias}.id < ${behind} AND ${alias}.id > ${ahead}` : ''}
       ORDER BY ${alias}.id ${orderOf(args)} LIMIT ${size} OFFSET ${offset}`,
      [...parameters, limitOf(args), offsetOf(args), ...(hasPlaces ? [after, before] : [])],
    ),
    counting?.query<{ total: number }>(
      countUpTo === undefined
        ? `SELECT count(*) AS total ${rows}`
        : `SELECT count(*) AS total FROM (SELECT 1 ${rows} LIMIT ${countUpTo + 1}) counted`,
      parameters,
    ),
  ]);
  return toPage(items, counted?.[0]?.total ?? 0, args, ({ id }) => id, countUpTo);
}

/**
 * As `selectPage`, of a list without a count limit: totals, which are counted only if needed, and far pages have the turns of
 * expensive statements.
 */
export function selectLongPage<T extends { id: string }>(
  db: Pick<Database, 'query' | 'select' | 'expensive'>,
  list: OwnedList<T>,
  args: Span,
  counts: boolean,
): Promise<Page<T>> {
  return selectPage(isFar(args) ? db.expensive : db, list, args, counts ? db.expensive : null);
}
