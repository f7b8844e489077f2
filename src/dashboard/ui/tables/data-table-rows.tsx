import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { type Column } from './data-table-column.js';
import classes from './data-table.module.css';

/** A row; with `href` its first cell is a link whose target is the whole row. */
export function DataRow<Row>({
  row,
  columns,
  href,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href?: (row: Row) => string;
}) {
  return (
    <tr data-link={href !== undefined || undefined}>
      {columns.map(({ header, cell, ...column }, index) => (
        <td key={header} {...placing(column)}>
          {index === 0 && href !== undefined ? (
            <Link to={href(row)} className={classes.link} preventScrollReset={href(row).startsWith('?')}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** A placeholder with the height of a row, until the first response. */
export function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr aria-hidden>
      {columns.map(({ header, ...column }, index) => (
        <td key={header} {...placing(column)}>
          <Skeleton height={12} width={index === 0 ? '45%' : '60%'} radius="sm" />
        </td>
      ))}
    </tr>
  );
}

/** The alignment of a cell, and the screens that show it, as attributes for the stylesheet. */
export function placing({
  align,
  phone,
  narrow,
  laptop,
}: Pick<Column<never>, 'align' | 'phone' | 'narrow' | 'laptop'>) {
  return {
    'data-align': align,
    'data-phone': phone === false ? 'none' : undefined,
    'data-narrow': narrow === false ? 'none' : undefined,
    'data-laptop': laptop === false ? 'none' : undefined,
  };
}
