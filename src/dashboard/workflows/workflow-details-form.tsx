import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode } from 'react';
import { Form } from '../ui/form.js';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import { useFields } from '../ui/use-fields.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { UpdateWorkflowDocument } from './workflow.generated.js';

/** Name and description; `footer` are the buttons, told whether it is being saved. */
export function WorkflowDetailsForm({ workflow: { id, name, description }, onSaved, footer }: WorkflowDetailsProps) {
  const { run, running, fault } = useAction(UpdateWorkflowDocument, { inForm: true });
  const { values, field } = useFields({ name, description: description ?? '' }, fault);
  const save = async () => {
    if ((await run({ id, input: values })) === undefined) return;
    notifyDone('Saved.');
    onSaved?.();
  };
  const changed = values.name !== name || values.description !== (description ?? '');
  return (
    <Form label="Name and description" onSubmit={() => void save()} fault={fault} footer={footer({ running, changed })}>
      <TextInput {...field('name')} label="Name" required data-autofocus />
      <Textarea
        {...field('description')}
        label="Description"
        description="What it is for, in a sentence or two."
        maxLength={1_000}
      />
    </Form>
  );
}

/** What the form is for. */
export interface WorkflowDetailsProps {
  workflow: WorkflowOfPage;
  onSaved?: () => void;
  footer: (state: { running: boolean; changed: boolean }) => ReactNode;
}
