import { type ClientBase } from 'pg';
import { type CopiedTable } from './layout.js';

/** The rows of a table, and the sum of a digest of each: equal for equal rows in any order. */
export interface TableSum {
  rows: number;
  sum: string;
}

/** Sums up a table by SQL that gives the same on every PostgreSQL since 14; `openCopyClient` sets the text of values. */
export async function sumOf(client: ClientBase, { name, columns }: CopiedTable): Promise<TableSum> {
  const digest = `sha256(convert_to(ROW(${columns.join(', ')})::text, 'UTF8'))`;
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `SELECT count(*)::text AS rows,
       coalesce(sum(('x' || left(encode(${digest}, 'hex'), 16))::bit(64)::bigint::numeric), 0)::text AS sum FROM ${name}`,
  );
  const [{ rows: count, sum }] = rows as [{ rows: string; sum: string }];
  return { rows: Number(count), sum };
}
