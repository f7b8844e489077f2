import { useAllPages } from '../../../../ui/tables/use-all-pages.js';
import { useEditing } from '../../editing.js';
import { ConnectionsDocument, type ConnectionsQuery } from './connections.generated.js';

/** A connection that a request can go to. */
export type Connection = ConnectionsQuery['integrations']['items'][number];

/** The connections for a request, and the chosen one if it is among them. */
export function useConnections() {
  const { action } = useEditing();
  const { items, state } = useAllPages(ConnectionsDocument, integrationsOf);
  const id = action.values.texts.integration_id ?? '';
  return { items, state, id, chosen: items.find((item) => item.id === id) };
}

function integrationsOf({ integrations }: ConnectionsQuery): ConnectionsQuery['integrations'] {
  return integrations;
}
