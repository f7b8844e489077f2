import { useSearchParams } from 'react-router';

const DEFAULT_PER_PAGE = 20;

/** The page from the URL's query parameter `name`, for URLs with two lists; an invalid number counts as absent. */
export function usePaging(name = 'page'): { page: number; perPage: number; setPage: (page: number) => void } {
  const [params, setParams] = useSearchParams();
  const number = (param: string, fallback: number, most: number): number => {
    const value = Number(params.get(param) ?? fallback);
    return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
  };
  const setPage = (page: number): void =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (page === 1) after.delete(name);
      else after.set(name, String(page));
      return after;
    });
  return { page: number(name, 1, 1_000_000), perPage: number('per_page', DEFAULT_PER_PAGE, 100), setPage };
}
