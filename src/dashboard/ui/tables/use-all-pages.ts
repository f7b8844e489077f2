import { useEffect, useMemo, useState } from 'react';
import { type TypedDocumentNode, useClient } from 'urql';

/** A page of a list from the service. */
interface PageOf<Item> {
  items: readonly Item[];
  meta: { perPage: number; total: number };
}

/**
 * All items of a list, one page after the other; for choices, where a page would hide the rest. `all` once the last has
 * come. `pageOf` and `query` are always the same.
 */
export function useAllPages<Data, Item>(
  query: TypedDocumentNode<Data, { page: number }>,
  pageOf: (data: Data) => PageOf<Item>,
  { pause = false } = {},
): { items: readonly Item[]; state: 'asking' | 'failed' | 'all' } {
  const client = useClient();
  const [pages, setPages] = useState<readonly (readonly Item[])[]>([]);
  const [state, setState] = useState<'asking' | 'failed' | 'all'>('asking');
  useEffect(() => {
    if (pause) return undefined;
    const ends: (() => void)[] = [];
    let asked = 0;
    const ask = (page: number): void => {
      asked = page;
      // All pages stay subscribed to the cache, so that each stays current.
      const subscription = client.query(query, { page }).subscribe(({ data, error }) => {
        if (error !== undefined) setState('failed');
        if (data == null) return;
        const { items, meta } = pageOf(data);
        const isLast = page * meta.perPage >= meta.total;
        setPages((before) => [...before.slice(0, page - 1), items, ...(isLast ? [] : before.slice(page))]);
        if (isLast) setState('all');
        else if (asked === page) ask(page + 1);
      });
      ends.push(() => subscription.unsubscribe());
    };
    ask(1);
    return () => {
      for (const end of ends) end();
    };
  }, [client, query, pageOf, pause]);
  return useMemo(() => ({ items: pages.flat(), state }), [pages, state]);
}
