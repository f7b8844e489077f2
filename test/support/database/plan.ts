import { type Queryable } from '../../../src/platform/db/database.js';

interface Node {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** Executes a statement without parameters. @returns the rows that each node of its plan reads at a time. */
export async function rowsReadBy(db: Queryable, sql: string): Promise<number[]> {
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${sql}`,
  );
  return rowsOf(plan!['QUERY PLAN'][0].Plan);
}

function rowsOf(node: Node): number[] {
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return [own, ...(node.Plans ?? []).flatMap(rowsOf)];
}
