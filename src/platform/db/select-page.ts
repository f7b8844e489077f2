import { columnsOf, type EntityClass } from './columns.js';
import { type Queryable } from './database.js';
import { offsetOf, type Page, type PageArgs, toPage } from './pagination.js';

/** A list of an account. */
export interface OwnedList<T extends object> {
  entity: EntityClass<T>;
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
 * Reads a page, newest first, and the total at the same time. `counting`: the target of the statement that counts; null
 * if the total is not needed, which is 0 then.
 */
export async function selectPage<T extends object>(
  on: Queryable,
  { entity, from, accountId, where, values = [], ...list }: OwnedList<T>,
  args: PageArgs,
  counting: Queryable | null = on,
): Promise<Page<T>> {
  const alias = from.slice(from.indexOf(' ') + 1);
  const rows = `FROM ${from} WHERE ${alias}.account_id = $1${where ? ` AND ${where}` : ''}`;
  const parameters = [accountId, ...values];
  const { columns = columnsOf(entity, alias), countUpTo } = list;
  const [items, counted] = await Promise.all([
    on.select(
      entity,
      `SELECT ${columns} ${rows} ORDER BY ${alias}.id DESC LIMIT $${values.length + 2} OFFSET $${values.length + 3}`,
      [...parameters, args.perPage, offsetOf(args)],
    ),
    counting?.query<{ total: number }>(
      countUpTo === undefined
        ? `SELECT count(*) AS total ${rows}`
        : `SELECT count(*) AS total FROM (SELECT 1 ${rows} LIMIT ${countUpTo}) counted`,
      parameters,
    ),
  ]);
  return toPage(items, counted?.[0]?.total ?? 0, args);
}
