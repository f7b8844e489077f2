import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Form } from '../ui/forms/form.js';
import { notifyDone } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFields } from '../ui/forms/use-fields.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { UpdateWorkflowDocument } from './workflow.generated.js';

/** Name and description; saves only changed fields, so that other users' changes survive. */
export function WorkflowDetailsForm({ workflow, onSaved, onDirty, footer }: WorkflowDetailsProps) {
  const { id, name, description } = workflow;
  const { run, running, fault } = useAction(UpdateWorkflowDocument, { inForm: true });
  const stored = { name, description: description ?? '' };
  const { values, field, forgetEdits } = useFields(stored, fault);
  const input = {
    ...(values.name.trim() !== stored.name && { name: values.name.trim() }),
    ...(values.description !== stored.description && { description: values.description }),
  };
  const changed = Object.keys(input).length > 0;
  useTold(changed, onDirty);
  const save = async () => {
    if (changed && (await run({ id, input })) === undefined) return;
    forgetEdits();
    notifyDone('Saved.');
    onSaved?.();
  };
  return (
    <Form label="Name and description" onSubmit={() => void save()} fault={fault} footer={footer({ running, changed })}>
      <TextInput {...field('name')} label="Name" required data-autofocus />
      <Textarea
        {...field('description')}
        label="Description"
        description="Its purpose, in a sentence or two."
        maxLength={1_000}
      />
    </Form>
  );
}

/** Reports unsaved changes, and on unmount that there are none. */
function useTold(changed: boolean, onDirty: WorkflowDetailsProps['onDirty']): void {
  const tell = useEffectEvent((dirty: boolean) => onDirty?.(dirty));
  useEffect(() => {
    tell(changed);
    return () => tell(false);
  }, [changed]);
}

/** `onDirty` receives whether there are unsaved changes; `footer` are the buttons. */
export interface WorkflowDetailsProps {
  workflow: WorkflowOfPage;
  onSaved?: () => void;
  onDirty?: (dirty: boolean) => void;
  footer: (state: { running: boolean; changed: boolean }) => ReactNode;
}
