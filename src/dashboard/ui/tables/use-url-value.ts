import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { PLACES } from './use-cursor.js';

/** One query parameter of the URL, e.g. a filter: empty when absent. Setting it returns to the first page of the list. */
export function useUrlValue(name: string): [value: string, set: (value: string) => void] {
  const { valueOf, set } = useUrlValues();
  return [valueOf(name), useCallback((value: string) => set({ [name]: value }), [name, set])];
}

/** The same for several parameters that change together. */
export function useUrlValues(): {
  valueOf: (name: string) => string;
  set: (values: Readonly<Record<string, string>>) => void;
} {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (values: Readonly<Record<string, string>>) =>
      setParams(
        () => {
          // Not the rendered parameters: another change may be on its way to the page.
          const after = new URLSearchParams(location.search);
          for (const [name, value] of Object.entries(values)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          for (const place of PLACES) after.delete(place);
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  return { valueOf: (name) => params.get(name) ?? '', set };
}
