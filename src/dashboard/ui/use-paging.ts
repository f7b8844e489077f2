import { useSearchParams } from 'react-router';

const DEFAULT_PER_PAGE = 20;

/** The page that the address's query asks for; what is no number there counts as absent. */
export function usePaging(): { page: number; perPage: number; setPage: (page: number) => void } {
  const [params, setParams] = useSearchParams();
  const number = (name: string, fallback: number, most: number): number => {
    const value = Number(params.get(name) ?? fallback);
    return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
  };
  const setPage = (page: number): void =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (page === 1) after.delete('page');
      else after.set('page', String(page));
      return after;
    });
  return { page: number('page', 1, 1_000_000), perPage: number('per_page', DEFAULT_PER_PAGE, 100), setPage };
}
