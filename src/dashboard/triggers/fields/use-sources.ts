import { useMemo } from 'react';
import { useAllPages } from '../../ui/tables/use-all-pages.js';
import { textIn, type TriggerConfig } from '../trigger-config.js';
import { EventSourcesDocument, type EventSourcesQuery } from '../choices.generated.js';

/** A connection that a trigger may wait for. */
export type EventSource = EventSourcesQuery['integrations']['items'][number];

/** The sources of a trigger's events: its one connection, or all connected ones that send the event. */
export function sourcesOf(sources: readonly EventSource[], config: TriggerConfig): EventSource[] {
  const id = textIn(config, 'integration_id');
  const event = textIn(config, 'event') ?? '';
  return sources.filter((source) =>
    id === undefined
      ? source.status === 'CONNECTED' && (source.integrationType?.events.includes(event) ?? false)
      : source.id === id,
  );
}

/** All connections of the account, and their names by id; `ready` is false while they load. */
export function useSources(pause = false) {
  const { items: sources, state } = useAllPages(EventSourcesDocument, integrationsOf, { pause });
  return useMemo(() => {
    const byId = new Map(sources.map((source) => [source.id, source]));
    return { sources, byId, nameOf: (id: string) => byId.get(id)?.name, ready: state !== 'asking' };
  }, [sources, state]);
}

function integrationsOf({ integrations }: EventSourcesQuery): EventSourcesQuery['integrations'] {
  return integrations;
}
