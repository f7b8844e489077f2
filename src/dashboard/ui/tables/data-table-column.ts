import { type ReactNode } from 'react';

/**
 * One column: `phone: false` leaves it out on small screens, `narrow: false` on tablets too, `laptop: false` on all but wide
 * screens; the first column names its row.
 */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** CSS width, e.g. `120px`; the first column takes the remaining width. */
  width?: string;
  align?: 'right';
  phone?: false;
  narrow?: false;
  laptop?: false;
}
