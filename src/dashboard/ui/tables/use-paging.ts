import { useSearchParams } from 'react-router';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;

/** The page from the URL's query parameter `name`, for URLs with two lists; an invalid number counts as absent. */
export function usePaging(name = 'page'): { page: number; perPage: number; setPage: (page: number) => void } {
  const [params, setParams] = useSearchParams();
  const setPage = (page: number): void =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (page === 1) after.delete(name);
      else after.set(name, String(page));
      return after;
    });
  return { page: numberOf(params, name, 1, 1_000_000), perPage: perPageOf(params), setPage };
}

/** The number of items on a page, from the URL (`?per_page=`). */
export function perPageOf(params: URLSearchParams): number {
  return numberOf(params, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE);
}

function numberOf(params: URLSearchParams, name: string, fallback: number, most: number): number {
  const value = Number(params.get(name) ?? fallback);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
}
