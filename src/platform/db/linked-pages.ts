import { type Database } from './database.js';
import { type EntityClass } from './columns.js';
import { type IdPrefix, MAX_UUID } from '../ids/ids.js';
import { limitOf, offsetOf, type Page, type PageArgs, placeOf, toPage } from './pagination.js';

/** The requested page of the linked rows of one parent, with at most one filter. */
export interface LinkKey extends PageArgs {
  /** The parent's uuid. */
  parent: string;
  filter?: string | null;
  /** The uuid behind which the page begins, see `placeOf`. */
  place: string | null;
  /** Whether the total is needed. */
  counts: boolean;
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
  /** The condition for rows behind `p.place`, true for any row if it is null; by default by a uuid in `id`. */
  behind?: string;
  /** The count limit; without it every row is counted. */
  countUpTo?: number;
}

/** A link's statement for `loadLinkedPages`. */
export interface LinkStatement {
  sql: string;
  countUpTo: number | undefined;
}

/** With `coalesce` instead of `OR`, so that an index can find the place. */
const beforeUuid = (id: string) => `${id} < coalesce(p.place, '${MAX_UUID}')`;

/** Makes the statement of a link. */
export function linkStatement({ columns, from, where, id, orderedBy = 'uuid', ...link }: Link): LinkStatement {
  const { behind = beforeUuid(id), countUpTo } = link;
  const limit = countUpTo === undefined ? '' : ` LIMIT ${countUpTo + 1}`;
  const sql = `
    SELECT p.n AS "linkNumber", c.total AS "linkTotal", item.*
    FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::uuid[], $7::boolean[])
      WITH ORDINALITY AS p (parent, filter, size, skipped, place, counts, n)
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE p.counts AND ${where}${limit}) counted) c
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM ${from} WHERE ${where} AND ${behind}
      ORDER BY ${id} DESC LIMIT p.size OFFSET p.skipped
    ) item ON true
    ORDER BY p.n, item."${orderedBy}" DESC`;
  return { sql, countUpTo };
}

/** The key of a link's page. @throws AppError `validation_error` as `placeOf` does. */
export function linkKey(
  parent: string,
  { page, perPage, after }: PageArgs,
  { prefix, counts, filter }: { prefix: IdPrefix; counts: boolean; filter?: string | null },
): LinkKey {
  return { parent, page, perPage, filter, counts, place: placeOf({ page, perPage, after }, prefix) };
}

/**
 * Loads the pages of many parents by one statement, in the order of `keys`, each with its own page size and total.
 * `more` holds further parameters of the statement, from `$8` on.
 */
export async function loadLinkedPages<T extends { uuid: string; id: string }>(
  db: Database,
  entity: EntityClass<T>,
  { sql, countUpTo }: LinkStatement,
  accountId: string,
  keys: readonly LinkKey[],
  more: readonly unknown[] = [],
): Promise<Page<T>[]> {
  // It counts the rows of each parent.
  const rows = await db.expensive.select(entity as EntityClass<T & { linkNumber: number; linkTotal: number }>, sql, [
    accountId,
    keys.map(({ parent }) => parent),
    keys.map(({ filter }) => filter ?? null),
    keys.map(limitOf),
    keys.map(offsetOf),
    keys.map(({ place }) => place),
    keys.map(({ counts }) => counts),
    ...more,
  ]);
  const byKey = Map.groupBy(rows, ({ linkNumber }) => linkNumber);
  return keys.map((key, index) => {
    const found = byKey.get(index + 1) ?? [];
    // A parent without items on this page has one row, which holds only its total.
    const items = found.filter(({ uuid }) => (uuid as string | null) !== null);
    return toPage<T>(items, found[0]?.linkTotal ?? 0, key, ({ id }) => id, countUpTo);
  });
}

/** Options of `RequestContext.batch` for links: aliases may request different pages of one parent. */
export const BY_LINK = {
  cacheKeyFn: ({ parent, page, perPage, place, filter, counts }: LinkKey): string =>
    [parent, page, perPage, place ?? '', filter ?? '', counts].join(' '),
};
