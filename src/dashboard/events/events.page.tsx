import { Button, Group, Select } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../ui/pages/empty-state.js';
import { Notice } from '../ui/pages/notice.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { type Column } from '../ui/tables/data-table-column.js';
import { DataTable } from '../ui/tables/data-table.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { EventDialog, type EventRow, useOpenEvent } from './event.dialog.js';
import { pageOfEvent } from './event-subject.js';
import classes from './events.module.css';
import { EVENTS_OF_PART, useRecentEvents } from './use-recent-events.js';
import { IconTimelineEvent } from '../ui/icons/icons.js';

const COLUMNS: readonly Column<EventRow>[] = [
  { header: 'Event', cell: (event) => <What event={event} /> },
  { header: 'About', cell: (event) => <code>{idOf(event)}</code>, phone: false },
  { header: 'Happened', cell: ({ timestamp }) => <RelativeTime at={timestamp} />, width: '140px' },
];

/** `/event-log`: everything that has happened in the account in the last 30 days, newest first; live. */
export function EventsPage() {
  const { data, error, fetching, reload, type, setType, before, setBefore } = useRecentEvents();
  const { id, close } = useOpenEvent();
  const [params] = useSearchParams();
  const events = data?.recentEvents;
  const href = (event: string): string => {
    const next = new URLSearchParams(params);
    next.set('event', event);
    return `?${next}`;
  };
  return (
    <>
      <PageHeader
        title="Events"
        lead="Everything that has happened in the last 30 days. The list updates automatically."
        actions={
          <Select
            aria-label="Type of event"
            placeholder="All types"
            data={data?.webhookEvents ?? []}
            value={type === '' ? null : type}
            onChange={(value) => setType(value ?? '')}
            searchable
            clearable
          />
        }
      />
      {data?.account.eventLog === false && (
        <Notice tone="warn">
          New events are not recorded. <Link to="/settings/account">Account settings</Link>
        </Notice>
      )}
      <DataTable
        label="Events"
        columns={COLUMNS}
        page={events && { items: events }}
        fetching={fetching}
        error={error}
        onRetry={reload}
        href={(event) => href(event.id)}
        empty={<NoEvents isFiltered={type !== ''} />}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        {before !== '' && (
          <Button size="compact-sm" variant="default" onClick={() => setBefore('')}>
            Newest
          </Button>
        )}
        {events?.length === EVENTS_OF_PART && (
          <Button size="compact-sm" variant="default" onClick={() => setBefore(events.at(-1)!.id)}>
            Older
          </Button>
        )}
      </Group>
      <EventDialog events={events ?? []} id={id} onClose={close} />
    </>
  );
}

/** On a phone, which has no room for the column of the id, the id is below the type. */
function What({ event }: { event: EventRow }) {
  return (
    <span className={classes.what}>
      <span>{event.type}</span>
      <code className={classes.onPhone}>{idOf(event)}</code>
    </span>
  );
}

function idOf({ type, data }: EventRow): string {
  return pageOfEvent(type, data)?.id ?? '—';
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon={IconTimelineEvent} title={isFiltered ? 'No event of this type' : 'No events yet'} level={2}>
      {isFiltered ? 'None has happened in the last 30 days.' : 'The first one appears here as soon as it happens.'}
    </EmptyState>
  );
}
