import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { PLACES } from './use-cursor.js';

/** One query parameter of the URL, e.g. a filter: empty when absent. Setting it returns to the first page of the list. */
export function useUrlValue(name: string): [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          for (const place of PLACES) after.delete(place);
          return after;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? '', set];
}
