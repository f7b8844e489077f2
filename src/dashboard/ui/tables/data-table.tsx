import { type ReactNode } from 'react';
import { type CombinedError } from 'urql';
import { type Column } from './data-table-column.js';
import classes from './data-table.module.css';
import { DataRow, placing, SkeletonRow } from './data-table-rows.js';
import { ErrorState } from '../pages/error-state.js';
import { CursorPaging, type CursorMeta } from './cursor-paging.js';
import { Paging, type PageMeta } from './paging.js';

/** The parts of a list; `page` is undefined until the first response. Without `meta` the list has no paging of its own. */
export interface DataTableProps<Row extends { id: string }> {
  /** Names the table for screen readers, e.g. “Workflows”. */
  label: string;
  columns: readonly Column<Row>[];
  page: { items: readonly Row[]; meta?: PageMeta | CursorMeta } | undefined;
  /** A response for another filter or page is pending. */
  fetching: boolean;
  error: CombinedError | undefined;
  onRetry: () => void;
  /** The link target of a row. */
  href?: (row: Row) => string;
  /** The query parameter of the page, for a URL with two lists. */
  pageName?: string;
  /** The empty state. */
  empty: ReactNode;
}

const SKELETON_ROWS = 8;

/** A list, including its loading, empty and failed states and its paging; each row is a link. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, page, fetching, error, onRetry, href, pageName, empty } = props;
  if (page === undefined && error !== undefined)
    return (
      <Frame>
        <ErrorState error={error} onRetry={onRetry} />
      </Frame>
    );
  if (page?.items.length === 0 && !fetching)
    return (
      <Frame>
        {(page.meta?.total ?? 0) > 0 ? <BeyondLast meta={page.meta!} label={label} name={pageName} /> : empty}
      </Frame>
    );
  return (
    <>
      <Frame busy={fetching}>
        <table className={classes.table} aria-label={label} aria-busy={fetching}>
          <Head columns={columns} />
          <tbody>
            {page === undefined
              ? Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} columns={columns} />)
              : page.items.map((row) => <DataRow key={row.id} row={row} columns={columns} href={href} />)}
          </tbody>
        </table>
      </Frame>
      {page?.meta !== undefined && <Pages meta={page.meta} label={label} name={pageName} />}
    </>
  );
}

function Frame({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
  return (
    <div className={classes.frame} data-busy={busy || undefined}>
      {children}
    </div>
  );
}

function BeyondLast({ meta, ...paging }: PagesProps) {
  return (
    <div className={classes.beyond}>
      <p>{isNumbered(meta) ? `There is nothing on page ${meta.page}.` : 'There is nothing here anymore.'}</p>
      <Pages meta={meta} {...paging} />
    </div>
  );
}

interface PagesProps {
  meta: PageMeta | CursorMeta;
  label: string;
  name: string | undefined;
}

function Pages({ meta, label, name }: PagesProps) {
  return isNumbered(meta) ? (
    <Paging meta={meta} label={label} name={name} />
  ) : (
    <CursorPaging meta={meta} label={label} />
  );
}

function isNumbered(meta: PageMeta | CursorMeta): meta is PageMeta {
  return 'page' in meta;
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ header, width, ...column }) => (
          <th key={header} scope="col" style={{ width }} {...placing(column)}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
  );
}
