import { Pagination } from '@mantine/core';
import { usePaging } from './use-paging.js';
import { PageSize } from './page-size.js';
import classes from './paging.module.css';

/** The `meta` of every list of the service. */
export interface PageMeta {
  page: number;
  perPage: number;
  total: number;
}

/** `name` is the query parameter of the page, `page` by default. */
export interface PagingProps {
  meta: PageMeta;
  label: string;
  name?: string | undefined;
}

/** The maximum total of runs and deliveries. */
const COUNTED = 10_000;

/** “21–40 of 58” with links to the other pages; the page is stored in the URL (`?page=`). */
export function Paging({ meta: { page, perPage, total }, label, name }: PagingProps) {
  const { setPage } = usePaging(name);
  const first = (page - 1) * perPage + 1;
  const pages = Math.ceil(total / perPage);
  return (
    <div className={classes.paging}>
      <p aria-live="polite">
        {first <= total ? `${inFigures(first)}–${inFigures(Math.min(total, page * perPage))} of ` : ''}
        {totalText(total)}
      </p>
      <PageSize total={total} label={label} />
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          size="sm"
          siblings={1}
          getControlProps={(control) => ({ 'aria-label': `${control[0]!.toUpperCase()}${control.slice(1)} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
          aria-label={`Pages of ${label}`}
        />
      )}
    </div>
  );
}

/** A total; `10,000+` where the service stopped counting. */
export function totalText(total: number): string {
  return `${inFigures(total)}${total >= COUNTED ? '+' : ''}`;
}

function inFigures(value: number): string {
  return value.toLocaleString('en');
}
