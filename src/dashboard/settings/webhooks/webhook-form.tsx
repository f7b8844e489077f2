import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type RequestFault } from '../../graphql/request-fault.js';
import { WorkflowSelect } from '../../runs/list/workflow-select.js';
import { FormButtons } from '../../ui/forms/form-buttons.js';
import { Form } from '../../ui/forms/form.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { EventChoice } from './event-choice.js';
import { isOfWorkflows } from './event-groups.js';

const NO_EVENTS: RequestFault = {
  message: 'Choose at least one event.',
  code: 'VALIDATION_ERROR',
  fields: { events: 'choose at least one event' },
  requestId: undefined,
};

/** The form's values; an empty `workflowId` means all workflows. */
export interface WebhookValues {
  url: string;
  events: string[];
  workflowId: string;
}

/** The fields of a webhook: URL, events, and for a new one the workflow. */
export function WebhookForm({
  label,
  initial,
  submitLabel,
  running,
  fault: refused,
  onSubmit,
  onCancel,
  children,
}: WebhookFormProps) {
  const [lacksEvents, setLacksEvents] = useState<RequestFault>();
  const fault = lacksEvents ?? refused;
  const { values, field, set, errorOf } = useFields(
    { url: initial?.url ?? '', workflowId: initial?.workflowId ?? '', events: (initial?.events ?? []).join(' ') },
    fault,
  );
  const ofOneWorkflow = values.workflowId !== '';
  const chosen = values.events === '' ? [] : values.events.split(' ');
  const events = chosen.filter((event) => !ofOneWorkflow || isOfWorkflows(event));
  const submit = () => {
    // A new object each time, so that the focus moves to the field each time.
    setLacksEvents(events.length === 0 ? { ...NO_EVENTS } : undefined);
    if (events.length > 0) onSubmit({ ...values, url: values.url.trim(), events });
  };
  return (
    <Form
      label={label}
      onSubmit={submit}
      fault={fault}
      footer={<FormButtons submitLabel={submitLabel} running={running} onCancel={onCancel} pinned />}
    >
      <TextInput
        {...field('url')}
        type="url"
        label="URL"
        description="Events are posted to it as JSON. It should answer 2xx within 15 seconds."
        placeholder="https://example.com/hooks/workflows"
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
      />
      {initial === undefined && (
        <WorkflowSelect
          label="Workflow"
          description="Limit to one workflow, or send for all."
          all="All workflows"
          value={values.workflowId}
          onChange={(id) => set('workflowId', id)}
          {...(errorOf('workflowId') !== undefined && { error: errorOf('workflowId') })}
        />
      )}
      <EventChoice
        value={events}
        onChange={(next) => set('events', next.join(' '))}
        ofOneWorkflow={ofOneWorkflow}
        error={errorOf('events')}
      />
      {children}
    </Form>
  );
}

/** `initial` holds the values of an existing webhook; `children` stand above the buttons. */
export interface WebhookFormProps {
  label: string;
  initial?: WebhookValues;
  submitLabel: string;
  running: boolean;
  fault: RequestFault | undefined;
  onSubmit: (values: WebhookValues) => void;
  onCancel: () => void;
  children?: ReactNode;
}
