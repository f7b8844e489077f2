import { Checkbox, Skeleton } from '@mantine/core';
import { useId } from 'react';
import { useQuery } from 'urql';
import { ErrorState } from '../../ui/pages/error-state.js';
import { type EventGroup, groupEvents, isOfWorkflows } from './event-groups.js';
import { WebhookEventsDocument } from './webhooks.generated.js';
import classes from './webhooks.module.css';

/**
 * The choice of events, in groups with a checkbox each; `ofOneWorkflow` leaves out events that webhooks of a single
 * workflow do not receive.
 */
export function EventChoice({ value, onChange, ofOneWorkflow, error }: EventChoiceProps) {
  const [{ data, error: fault }, ask] = useQuery({ query: WebhookEventsDocument, requestPolicy: 'cache-first' });
  const errorId = useId();
  const groups = groupEvents((data?.webhookEvents ?? []).filter((event) => !ofOneWorkflow || isOfWorkflows(event)));
  return (
    <fieldset className={classes.field} aria-describedby={error === undefined ? undefined : errorId}>
      <legend>Events</legend>
      <div className={classes.hint}>
        {ofOneWorkflow
          ? 'Connections belong to no workflow: leave the workflow empty to receive their events.'
          : 'The events to send.'}
      </div>
      {error !== undefined && (
        <div id={errorId} className={classes.error}>
          {error}
        </div>
      )}
      <div className={classes.groups} data-invalid={error !== undefined || undefined}>
        {data === undefined && fault === undefined && <Skeleton height={236} />}
        {data === undefined && fault !== undefined && (
          <ErrorState error={fault} onRetry={() => ask({ requestPolicy: 'network-only' })} />
        )}
        {groups.map((group) => (
          <Group key={group.prefix} group={group} value={value} onChange={onChange} invalid={error !== undefined} />
        ))}
      </div>
    </fieldset>
  );
}

function Group({ group: { title, events }, value, onChange, invalid }: GroupProps) {
  const chosen = events.filter((event) => value.includes(event));
  const others = value.filter((event) => !events.includes(event));
  const isAll = chosen.length === events.length;
  const toggle = (event: string) =>
    onChange(value.includes(event) ? value.filter((known) => known !== event) : [...value, event]);
  return (
    <fieldset className={classes.group}>
      <legend>
        <Checkbox
          label={title}
          aria-label={`All of ${title.toLowerCase()}`}
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          onChange={() => onChange(isAll ? others : [...others, ...events])}
          aria-invalid={invalid || undefined}
          fw={500}
        />
      </legend>
      <div className={classes.events}>
        {events.map((event) => (
          <Checkbox
            key={event}
            size="xs"
            label={<code>{event}</code>}
            checked={value.includes(event)}
            onChange={() => toggle(event)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** `error` is shown above the groups: the first one gets the focus. */
export interface EventChoiceProps {
  value: readonly string[];
  onChange: (events: string[]) => void;
  ofOneWorkflow: boolean;
  error: string | undefined;
}

interface GroupProps extends Pick<EventChoiceProps, 'value' | 'onChange'> {
  group: EventGroup;
  invalid: boolean;
}
