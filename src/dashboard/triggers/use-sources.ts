import { useMemo } from 'react';
import { useQuery } from 'urql';
import { EventSourcesDocument, type EventSourcesQuery } from './choices.generated.js';

/** A connection that a trigger may wait for. */
export type EventSource = EventSourcesQuery['integrations']['items'][number];

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
