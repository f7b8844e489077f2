import { Select } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PLACES } from './use-cursor.js';
import { perPageOf } from './use-paging.js';
import classes from './paging.module.css';

const SIZES = [20, 50, 100];

/** Chooses the number of items on a page, for all lists of the page; hidden if every item fits on the smallest page. */
export function PageSize({ total, label }: { total: number; label: string }) {
  const [params, setParams] = useSearchParams();
  const size = perPageOf(params);
  if (total <= SIZES[0]! && !params.has('per_page')) return null;
  const sizes = [...new Set([...SIZES, size])].toSorted((one, other) => one - other);
  const choose = (next: string): void =>
    setParams((before) => {
      const after = new URLSearchParams([...before].filter(([name]) => !isPlace(name)));
      if (Number(next) === SIZES[0]) after.delete('per_page');
      else after.set('per_page', next);
      return after;
    });
  return (
    <Select
      className={classes.size}
      size="xs"
      aria-label={`Page size of ${label}`}
      data={sizes.map((count) => ({ value: String(count), label: `${count} per page` }))}
      value={String(size)}
      onChange={(next) => next !== null && choose(next)}
      allowDeselect={false}
    />
  );
}

/** Whether a query parameter is the place in a list, which another size moves. */
function isPlace(name: string): boolean {
  return PLACES.some((place) => name === place || name.endsWith(`_${place}`));
}
