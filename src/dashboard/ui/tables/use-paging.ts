import { useSearchParams } from 'react-router';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;

/** The page from the URL's query parameter `name`, for URLs with two lists; an invalid number counts as absent. */
export function usePaging(name = 'page'): { page: number; perPage: number; setPage: (page: number) => void } {
  const [params, setParams] = useSearchParams();
  const setPage = (page: number): void => {
    const after = new URLSearchParams(location.search);
    if (page === 1) after.delete(name);
    else after.set(name, String(page));
    if (!isHere(after)) setParams(after);
  };
  return { page: numberOf(params, name, 1, 1_000_000), perPage: perPageOf(params), setPage };
}

/** Whether the URL already has these parameters, e.g. at a double click, which must not add a second entry to the history. */
export function isHere(params: URLSearchParams): boolean {
  return params.toString() === new URLSearchParams(location.search).toString();
}

/** The number of items on a page, from the URL (`?per_page=`). */
export function perPageOf(params: URLSearchParams): number {
  return numberOf(params, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE);
}

function numberOf(params: URLSearchParams, name: string, fallback: number, most: number): number {
  const value = Number(params.get(name) ?? fallback);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
}
