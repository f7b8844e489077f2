import { type Database } from './database.js';
import { type EntityClass } from './columns.js';
import { offsetOf, type Page, type PageArgs, toPage } from './pagination.js';

/** Which page of which parent's things a link asks for, with one filter at most. */
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
  /** The selected property that orders them likewise, `uuid` unless told. */
  orderedBy?: string;
  /** Where counting ends; everything is counted when absent. */
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
 * Pages of many parents, in the order asked, by one statement: each parent with a page size and total of its own. What
 * the statement needs besides is given as `more`, from `$6` on.
 */
export async function loadLinkedPages<T extends { uuid: string }>(
  db: Database,
  entity: EntityClass<T>,
  statement: string,
  accountId: string,
  keys: readonly LinkKey[],
  more: readonly unknown[] = [],
): Promise<Page<T>[]> {
  // Each parent's things are counted.
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
    // A parent without items on this page has one row, which holds nothing but its total.
    if ((row.uuid as string | null) !== null) page.items.push(row);
  }
  return pages;
}

/** What makes two keys the same for a batch loader: aliases may ask the same parent for different pages. */
export function linkCacheKey({ parent, page, perPage, filter }: LinkKey): string {
  return [parent, page, perPage, filter ?? ''].join(' ');
}
