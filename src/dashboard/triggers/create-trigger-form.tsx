import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type TriggerType } from '../graphql/enums.generated.js';
import { FormButtons } from '../ui/forms/form-buttons.js';
import { Form } from '../ui/forms/form.js';
import { useAction } from '../ui/forms/use-action.js';
import { TriggerFields } from './fields/trigger-fields.js';
import { TriggerTypeCards } from './fields/trigger-type-cards.js';
import { CreateTriggerDocument, type CreateTriggerMutation } from './triggers.generated.js';
import { useTriggerForm } from './use-trigger-form.js';
import { WorkflowSelect } from '../runs/list/workflow-select.js';

/** The form of a new trigger. */
export function CreateTriggerForm({ workflowId, onClose, onMade }: CreateTriggerFormProps) {
  const { run, running, fault, reset } = useAction(CreateTriggerDocument, { inForm: true });
  const [type, setType] = useState<TriggerType>('WEBHOOK');
  const form = useTriggerForm(type, fault);
  const create = async () => {
    const workflow = workflowId ?? form.values.workflowId;
    if (!form.check(workflow === '' ? { workflowId: 'choose the workflow that it fires' } : {})) return;
    const made = await run({
      input: { workflowId: workflow, type, config: form.config, name: form.values.name.trim() || null },
    });
    if (made !== undefined) onMade(made.createTrigger);
  };
  return (
    <Form
      label="New trigger"
      onSubmit={() => void create()}
      fault={form.fault}
      footer={<FormButtons submitLabel="Create trigger" running={running} onCancel={onClose} pinned />}
    >
      {workflowId === undefined && (
        <WorkflowSelect
          label="Workflow"
          placeholder="Choose a workflow"
          value={form.values.workflowId}
          onChange={(id) => form.set('workflowId', id)}
          error={form.errorOf('workflowId')}
          required
        />
      )}
      <TriggerTypeCards
        value={type}
        onChange={(chosen) => {
          reset();
          setType(chosen);
        }}
      />
      <TriggerFields key={type} form={form} />
      <TextInput
        {...form.field('name')}
        label="Name (optional)"
        description="Shown in lists. It distinguishes several triggers of one type."
        maxLength={255}
        autoComplete="off"
      />
    </Form>
  );
}

/** `onMade` receives the new trigger. */
export interface CreateTriggerFormProps {
  workflowId: string | undefined;
  onClose: () => void;
  onMade: (trigger: CreateTriggerMutation['createTrigger']) => void;
}
