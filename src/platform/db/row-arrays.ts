/** A column: its PostgreSQL type, and its value of a row. */
type Column<T> = readonly [type: string, of: (row: T) => unknown];

/**
 * Passes many rows to one statement as an array for each column: `FROM unnest(${rows.arrays}) r (${rows.names})`. Name,
 * type and value of a column stand together, so that they cannot be mixed up.
 */
export class RowArrays<T> {
  /** SQL: the parameters, each with its type. */
  readonly arrays: string;
  /** SQL: the names of the columns, in the same order. */
  readonly names: string;

  /** `first`: the number of the first parameter. */
  constructor(
    first: number,
    private readonly columns: Readonly<Record<string, Column<T>>>,
  ) {
    this.names = Object.keys(columns).join(', ');
    this.arrays = Object.values(columns)
      .map(([type], index) => `$${first + index}::${type}[]`)
      .join(', ');
  }

  /** The values of the parameters, in the same order. */
  valuesOf(rows: readonly T[]): unknown[][] {
    return Object.values(this.columns).map(([, of]) => rows.map(of));
  }
}
