import { Button, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { SearchSelect } from '../../ui/forms/search-select.js';
import { Notice } from '../../ui/pages/notice.js';
import { statusLabel } from '../../ui/values/status-badge.js';
import { FilterRows } from './filter-rows.js';
import { type EventSource, useSources } from './use-sources.js';
import { type TriggerForm } from '../use-trigger-form.js';

/** The event and the connection of an app event trigger, and the filter of its payloads. */
export function AppEventFields({ form }: { form: TriggerForm }) {
  const { values, set, errorOf } = form;
  const { sources, byId, ready } = useSources();
  const offering = sources.filter(({ integrationType }) => (integrationType?.events.length ?? 0) > 0);
  if (!ready) return <Skeleton height={132} radius="md" />;
  const chosen = byId.get(values['config.integration_id']);
  const events = eventsOf(chosen === undefined ? offering.filter(({ status }) => status === 'CONNECTED') : [chosen]);
  const event = values['config.event'];
  if (offering.length === 0) return <NothingConnected />;
  return (
    <>
      <SearchSelect
        label="Connection"
        name="config.integration_id"
        description="Connection to listen to"
        data={[
          { value: '', label: 'Any connection that has the event' },
          ...offering.map((source) => ({
            value: source.id,
            label: nameInList(source),
            disabled: source.status !== 'CONNECTED' && source.id !== chosen?.id,
          })),
        ]}
        value={values['config.integration_id']}
        onChange={(id) => {
          set('config.integration_id', id ?? '');
          const still = eventsOf(offering.filter((source) => id === '' || source.id === id)).includes(event);
          if (!still) set('config.event', '');
        }}
        error={errorOf('config.integration_id')}
        nothingFoundMessage="No connection has this name."
      />
      <SearchSelect
        label="Event"
        name="config.event"
        data={(event === '' || events.includes(event) ? events : [event, ...events]).map((name) => ({
          value: name,
          label: name,
        }))}
        value={event === '' ? null : event}
        onChange={(value) => set('config.event', value ?? '')}
        error={errorOf('config.event')}
        placeholder="Choose an event"
        nothingFoundMessage="No event has this in its name."
        required
      />
      <FilterRows form={form} />
    </>
  );
}

function NothingConnected() {
  return (
    <Notice tone="busy" title="Connect an application first">
      None of your connections sends events yet.
      <br />
      <Button component={Link} to="/integrations/new" variant="default" size="xs" mt={8}>
        To the applications
      </Button>
    </Notice>
  );
}

function eventsOf(sources: readonly EventSource[]): string[] {
  return [...new Set(sources.flatMap(({ integrationType }) => integrationType?.events ?? []))].sort();
}

function nameInList({ name, reference, status, integrationType }: EventSource): string {
  const of = integrationType === null || integrationType.name === name ? '' : ` (${integrationType.name})`;
  const whose = reference === null ? '' : ` · ${reference}`;
  return `${name}${of}${whose}${status === 'CONNECTED' ? '' : `: ${statusLabel(status).toLowerCase()}`}`;
}
