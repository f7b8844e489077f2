import { currentWork } from '../../admission/work.js';
import { isInTransaction } from '../transaction-context.js';

/** The bytes of texts that a statement reads at once. Those of the rows beyond follow in portions. */
const FIRST_BYTES = 1_048_576;
/** The maximum bytes of a portion; a single row may exceed it. */
const PORTION_BYTES = 4 * FIRST_BYTES;

/** SQL of the texts of a row, by the names under which they are selected. */
export type Texts = Readonly<Record<string, string>>;

/** A row whose texts were measured before they were read. */
export interface Measured {
  /** The bytes of all its texts, read or not. */
  textBytes: number;
}

/** The select list of texts. */
export function textColumns(texts: Texts): string {
  const columns = Object.entries(texts).map(([name, sql]) => `${sql} AS "${name}"`);
  return columns.join(', ');
}

/**
 * The parts of a statement that reads the first texts of its rows and measures the others: few rows may have gigabytes,
 * and PostgreSQL knows the length of a stored text without reading it. `order` is unique.
 */
export function measured(texts: Texts, order: string): { columns: string; join: string } {
  const bytes = Object.values(texts).map((sql) => `coalesce(octet_length(${sql}), 0)`);
  const isFirst = `sum(measured.bytes) OVER (ORDER BY ${order}) <= ${FIRST_BYTES}`;
  const first = Object.entries(texts).map(([name, sql]) => [name, `CASE WHEN ${isFirst} THEN ${sql} END`]);
  return {
    columns: `measured.bytes AS "textBytes", ${textColumns(Object.fromEntries(first) as Texts)}`,
    // With OFFSET, PostgreSQL measures each row once.
    join: `CROSS JOIN LATERAL (SELECT (${bytes.join(' + ')})::bigint AS bytes OFFSET 0) measured`,
  };
}

/**
 * Reads the texts that such a statement left out. They are counted for the response before any of them is read. `read`
 * returns the rows of a portion in the same order, with their texts; undefined for one that is gone.
 * @throws AppError as `Answer.expect` does.
 */
export async function readRest<T extends Measured>(
  rows: readonly T[],
  texts: Texts,
  read: (portion: readonly T[]) => Promise<readonly (object | undefined)[]>,
): Promise<void> {
  const left = unread(rows, texts);
  if (left.length === 0) return;
  const sum = left.reduce((total, { textBytes }) => total + textBytes, 0);
  await currentWork().answer?.expect(sum, !isInTransaction());
  await readPortions(left, texts, read);
}

/** The same for texts that are not counted for the response before they are read. */
export async function readPortions<T extends Measured>(
  rows: readonly T[],
  texts: Texts,
  read: (portion: readonly T[]) => Promise<readonly (object | undefined)[]>,
): Promise<void> {
  for (const portion of portionsOf(unread(rows, texts))) {
    const found = await read(portion);
    portion.forEach((row, place) => Object.assign(row, found[place]));
  }
}

function unread<T extends Measured>(rows: readonly T[], texts: Texts): T[] {
  const names = Object.keys(texts) as (keyof T)[];
  return rows.filter((row) => row.textBytes > 0 && names.every((name) => row[name] === null));
}

function portionsOf<T extends Measured>(rows: readonly T[]): T[][] {
  const portions: T[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    bytes += row.textBytes;
    if (bytes > PORTION_BYTES) {
      portions.push([]);
      bytes = row.textBytes;
    }
    portions.at(-1)!.push(row);
  }
  return portions;
}
