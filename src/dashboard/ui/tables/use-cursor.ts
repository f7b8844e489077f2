import { useSearchParams } from 'react-router';
import { isHere, perPageOf } from './use-paging.js';

/** The query parameters that hold a place in a list. A change of its filters removes them. */
export const PLACES = ['page', 'after', 'before'] as const;

/** The arguments of a connection. */
export type CursorVariables = { first: number; after?: string } | { last: number; before: string };

/**
 * A place in a long list, from the URL: behind the cursor `?after=` or in front of `?before=`; otherwise its beginning.
 * `list` distinguishes several lists of a page: `?<list>_after=`.
 */
export function useCursor(list?: string): {
  variables: CursorVariables;
  isFirst: boolean;
  move: (to: Place, options?: { replace: boolean }) => void;
} {
  const [params, setParams] = useSearchParams();
  const size = perPageOf(params);
  const inUrl = (name: string): string => (list === undefined ? name : `${list}_${name}`);
  const [after, before] = [params.get(inUrl('after')), params.get(inUrl('before'))];
  const move = (to: Place, options?: { replace: boolean }): void => {
    const next = new URLSearchParams(location.search);
    for (const name of PLACES) next.delete(inUrl(name));
    for (const [name, value] of Object.entries(to)) next.set(inUrl(name), value);
    if (!isHere(next)) setParams(next, options);
  };
  const variables =
    after !== null ? { first: size, after } : before !== null ? { last: size, before } : { first: size };
  return { variables, isFirst: after === null && before === null, move };
}

/** Where to move: behind a cursor, in front of one, or with neither to the beginning. */
export type Place = { after: string } | { before: string } | Record<string, never>;
