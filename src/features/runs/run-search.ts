import { containing } from '../../platform/db/text-search.js';
import { fromPublicId, idEnding, MIN_UUID } from '../../platform/ids/ids.js';
import { LISTED_INPUT } from './run-columns.js';

/** The maximum number of runs that a search reads: without an index for texts, its time grows with them. */
export const SEARCHED_RUNS = 10_000;

/** A condition of runs under an alias. */
export type RunsWhere = (alias: string) => string;

/**
 * The SQL condition for `runs r` with this text. A whole id finds its run by the index. Any other text is sought in the
 * newest runs `within` conditions that an index serves. `parameter` takes a value and returns its place.
 */
export function searchCondition(
  text: string,
  within: readonly RunsWhere[],
  parameter: (value: unknown) => string,
): string {
  const uuid = fromPublicId('run', text);
  if (uuid !== undefined) return `r.id = ${parameter(uuid)}`;
  const pattern = parameter(containing(text));
  const ending = idEnding(text);
  const found = [
    `r.error->>'code' ILIKE ${pattern}`,
    `r.error->>'message' ILIKE ${pattern}`,
    `${LISTED_INPUT} ILIKE ${pattern}`,
    ...(ending === undefined ? [] : [`r.id::text LIKE ${parameter(`%${ending}`)}`]),
  ];
  const bounds = ['o.account_id = $1', ...within.map((condition) => condition('o'))].join(' AND ');
  return `r.id >= coalesce((SELECT o.id FROM runs o WHERE ${bounds}
      ORDER BY o.id DESC LIMIT 1 OFFSET ${SEARCHED_RUNS - 1}), '${MIN_UUID}'::uuid)
    AND (${found.join(' OR ')})`;
}
