import pg from 'pg';

/**
 * The whole schema of a database as lines: relations with columns and storage, constraints, indexes, functions, triggers.
 * Partitions come and go with the weeks, so they are left out unless `withPartitions` is true.
 */
export async function schemaText(url: string, { withPartitions = false } = {}): Promise<string[]> {
  const isWanted = (relation: string): string =>
    withPartitions ? 'true' : `NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = ${relation})`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(`
      SELECT format('%s %s %s %s', c.relkind, c.relname, c.reloptions, pg_get_partkeydef(c.oid)) AS line
        FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND ${isWanted('c.oid')}
      UNION ALL
      SELECT format('%s.%s %s %s %s%s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                    pg_get_expr(d.adbin, d.adrelid), ' ' || a.attoptions::text)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
          AND ${isWanted('c.oid')}
      UNION ALL
      SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND ${isWanted('conrelid')} AND contype <> 'n'
      UNION ALL
      SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
        WHERE c.relnamespace = 'public'::regnamespace AND ${isWanted('indrelid')}
      UNION ALL
      SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal AND ${isWanted('tgrelid')}
      ORDER BY line`);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
