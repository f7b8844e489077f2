import { useQuery, useSubscription } from 'urql';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { useSoon } from '../ui/use-soon.js';
import { NewEventsDocument, RecentEventsDocument } from './events.generated.js';

/** The events of one part of the list. */
export const EVENTS_OF_PART = 50;

/** A part of the log, newest first; the URL keeps its place and the type of its events. The newest part is live. */
export function useRecentEvents() {
  const [type, setType] = useUrlValue('type');
  const [before, setBefore] = useUrlValue('before');
  const types = type === '' ? undefined : [type];
  const [{ data, error, fetching }, execute] = useQuery({
    query: RecentEventsDocument,
    variables: { before: before === '' ? undefined : before, types, limit: EVENTS_OF_PART },
    requestPolicy: 'cache-and-network',
  });
  const reload = (): void => execute({ requestPolicy: 'network-only' });
  const soon = useSoon(reload, 300);
  useSubscription({ query: NewEventsDocument, variables: { types }, pause: before !== '' }, (_before, event) => {
    soon();
    return event;
  });
  return { data, error, fetching, reload, type, setType, before, setBefore };
}
