import { Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { ExactTime } from '../ui/values/exact-time.js';
import { Fact, Facts } from '../ui/values/facts.js';
import { JsonView } from '../ui/json/json-view.js';
import { pageOfEvent } from './event-subject.js';
import { type RecentEventsQuery } from './events.generated.js';

/** An event of the list. */
export type EventRow = RecentEventsQuery['recentEvents'][number];

/** The event that the URL names (`?event=`), if it is or was in the list. */
export function EventDialog({ events, id, onClose }: EventDialogProps) {
  const found = events.find((event) => event.id === id);
  const [last, setLast] = useState<EventRow>();
  // New events may move it out of the list; the dialog keeps showing it.
  if (found !== undefined && found.id !== last?.id) setLast(found);
  const shown = found ?? last;
  return (
    <Modal
      data-in-url
      opened={shown !== undefined && shown.id === id}
      onClose={onClose}
      size={620}
      title={shown?.type ?? ''}
    >
      {shown !== undefined && <EventDetails event={shown} />}
    </Modal>
  );
}

function EventDetails({ event: { id, type, timestamp, data } }: { event: EventRow }) {
  const subject = pageOfEvent(type, data);
  return (
    <Stack gap="md">
      <Facts layout="dialog">
        <Fact name="Happened">
          <ExactTime at={timestamp} />
        </Fact>
        <Fact name="About">
          {subject === undefined ? 'Something deleted' : <Link to={subject.to}>{subject.id}</Link>}
        </Fact>
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
      </Facts>
      <JsonView value={data} label="data of the event" />
    </Stack>
  );
}

interface EventDialogProps {
  events: readonly EventRow[];
  id: string;
  onClose: () => void;
}

/** The id of the event that is open, empty for none, and how to close it. */
export function useOpenEvent(): { id: string; close: () => void } {
  const [id, set] = useUrlValue('event');
  return { id, close: () => set('') };
}
