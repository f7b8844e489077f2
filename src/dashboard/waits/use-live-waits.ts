import { useEffect, useEffectEvent, useMemo } from 'react';
import { useQuery } from 'urql';
import { type WaitKind } from '../graphql/enums.generated.js';
import { useCursor } from '../ui/tables/use-cursor.js';
import { useWaitChanges } from './use-wait-changes.js';
import { PendingWaitsDocument, type PendingWaitsQuery } from './waits.generated.js';

/** A live page of the pending waits of a kind; its place is in the URL, under the name of the kind. */
export function useLiveWaits(kind: WaitKind) {
  const { variables, isFirst, move } = useCursor(kind.toLowerCase());
  const [{ data, error, fetching }, execute] = useQuery({
    query: PendingWaitsDocument,
    variables: { ...variables, kind },
  });
  const waits = useMemo(() => pageOf(data?.waitConnection), [data]);
  const reload = (): void => execute({ requestPolicy: 'network-only' });
  useWaitChanges({ kind }, data?.waitConnection.latestChange, reload);
  // The first page is full, where this one has lost its items or those before it.
  const showFirst = useEffectEvent(() => move({}, { replace: true }));
  const isAtTop =
    !isFirst && !fetching && waits !== undefined && (!waits.meta.hasPreviousPage || waits.items.length === 0);
  useEffect(() => {
    if (isAtTop) showFirst();
  }, [isAtTop]);
  return { waits, error, reload };
}

function pageOf(connection: PendingWaitsQuery['waitConnection'] | undefined) {
  if (connection === undefined) return undefined;
  const { edges, pageInfo, totalCount } = connection;
  return { items: edges.map(({ node }) => node), meta: { ...pageInfo, total: totalCount } };
}
