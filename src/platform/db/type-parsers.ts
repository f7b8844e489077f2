import pg from 'pg';

const { INT8 } = pg.types.builtins;

/**
 * The parser of a PostgreSQL type. bigint columns hold counts and positions far below 2^53, so they become numbers
 * instead of pg's default of text.
 */
export function getTypeParser(oid: typeof INT8, format?: 'text' | 'binary'): unknown {
  if (oid === INT8) return Number;
  return pg.types.getTypeParser(oid, format);
}
