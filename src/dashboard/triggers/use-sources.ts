import { useMemo } from 'react';
import { useQuery } from 'urql';
import { textIn, type TriggerConfig } from './trigger-config.js';
import { EventSourcesDocument, type EventSourcesQuery } from './choices.generated.js';

/** A connection that a trigger may wait for. */
export type EventSource = EventSourcesQuery['integrations']['items'][number];

/** Whose events a trigger waits for: its one connection, or all that are connected and tell of the event. */
export function sourcesOf(sources: readonly EventSource[], config: TriggerConfig): EventSource[] {
  const id = textIn(config, 'integration_id');
  const event = textIn(config, 'event') ?? '';
  return sources.filter((source) =>
    id === undefined
      ? source.status === 'CONNECTED' && (source.integrationType?.events.includes(event) ?? false)
      : source.id === id,
  );
}

/** The account's connections, and their names by id; `ready` is false until the first answer. */
export function useSources(pause = false) {
  const [{ data, error }] = useQuery({ query: EventSourcesDocument, pause });
  return useMemo(() => {
    const sources = data?.integrations.items ?? [];
    const byId = new Map(sources.map((source) => [source.id, source]));
    return {
      sources,
      byId,
      nameOf: (id: string) => byId.get(id)?.name,
      ready: data !== undefined || error !== undefined,
    };
  }, [data, error]);
}
