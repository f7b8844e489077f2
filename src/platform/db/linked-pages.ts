import { type Database } from './database.js';
import { type EntityClass } from './columns.js';
import { offsetOf, type Page, type PageArgs, toPage } from './pagination.js';

/** The requested page of the linked rows of one parent, with at most one filter. */
export interface LinkKey extends PageArgs {
  /** The parent's uuid. */
  parent: string;
  filter?: string | null;
}

/** The parts of a link's statement. `where` may name `p.parent`, `p.filter` and `$1`, the account. */
export interface Link {
  /** The select list, see `columnsOf`; it must hold the `uuid`. */
  columns: string;
  from: string;
  where: string;
  /** The column that orders, newest first. */
  id: string;
  /** The selected property with the same order; `uuid` by default. */
  orderedBy?: string;
  /** The count limit; without it every row is counted. */
  countUpTo?: number;
}

/** The statement for `loadLinkedPages`. */
export function linkStatement({ columns, from, where, id, orderedBy = 'uuid', countUpTo }: Link): string {
  const counted = `SELECT 1 FROM ${from} WHERE ${where}${countUpTo === undefined ? '' : ` LIMIT ${countUpTo}`}`;
  return `
    SELECT p.n AS "linkNumber", c.total AS "linkTotal", item.*
    FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[]) WITH ORDINALITY AS p (parent, filter, size, skipped, n)
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM (${counted}) counted) c
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${id} DESC LIMIT p.size OFFSET p.skipped
    ) item ON true
    ORDER BY p.n, item."${orderedBy}" DESC`;
}

/**
 * Loads the pages of many parents by one statement, in the order of `keys`, each with its own page size and total.
 * `more` holds further parameters of the statement, from `$6` on.
 */
export async function loadLinkedPages<T extends { uuid: string }>(
  db: Database,
  entity: EntityClass<T>,
  statement: string,
  accountId: string,
  keys: readonly LinkKey[],
  more: readonly unknown[] = [],
): Promise<Page<T>[]> {
  // It counts the rows of each parent.
  const rows = await db.expensive.select(
    entity as EntityClass<T & { linkNumber: number; linkTotal: number }>,
    statement,
    [
      accountId,
      keys.map(({ parent }) => parent),
      keys.map(({ filter }) => filter ?? null),
      keys.map(({ perPage }) => perPage),
      keys.map(offsetOf),
      ...more,
    ],
  );
  const pages = keys.map((key) => toPage<T>([], 0, key));
  for (const row of rows) {
    const page = pages[row.linkNumber - 1]!;
    page.meta.total = row.linkTotal;
    // A parent without items on this page has one row, which holds only its total.
    if ((row.uuid as string | null) !== null) page.items.push(row);
  }
  return pages;
}

/** Options of `RequestContext.batch` for links: aliases may request different pages of one parent. */
export const BY_LINK = {
  cacheKeyFn: ({ parent, page, perPage, filter }: LinkKey): string => [parent, page, perPage, filter ?? ''].join(' '),
};
