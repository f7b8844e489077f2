import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../ui/dialogs/dialog.js';
import { type RequestFault } from '../graphql/request-fault.js';
import { useViewer } from '../session/viewer.js';
import { Form } from '../ui/forms/form.js';
import { FormButtons } from '../ui/forms/form-buttons.js';
import { notifyDone } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFields } from '../ui/forms/use-fields.js';
import { type Template } from './templates/template.js';
import { TemplateChoice } from './templates/template-choice.js';
import { MissingNeed } from './templates/missing-need.js';
import { useMissingNeed } from './templates/use-missing-need.js';
import { useMaking } from './templates/use-making.js';
import { CreateWorkflowDocument } from './workflows.generated.js';

/** Asks for name, description and template of a new workflow, creates a draft and opens it. */
export function CreateWorkflowDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="New workflow">
      <CreateWorkflowForm onClose={onClose} />
    </Dialog>
  );
}

function CreateWorkflowForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { user } = useViewer();
  const { run, running, fault: refused } = useAction(CreateWorkflowDocument, { inForm: true });
  const { make, making } = useMaking();
  const [template, setTemplate] = useState<Template>();
  const missing = useMissingNeed(template);
  const [failed, setFailed] = useState<RequestFault>();
  const fault = template === undefined ? refused : failed;
  const { values, field, set } = useFields({ name: '', description: '' }, fault);
  const choose = (next: Template | undefined): void => {
    // Texts of a template follow the choice; those of the user stay.
    if (values.name === (template?.name ?? '')) set('name', next?.name ?? '');
    if (values.description === (template?.description ?? '')) set('description', next?.description ?? '');
    setTemplate(next);
    setFailed(undefined);
  };
  const createEmpty = async () => {
    const made = await run({ input: { ...values, name: values.name.trim() } });
    if (made === undefined) return;
    onClose();
    notifyDone(`Created “${made.createWorkflow.name}” as a draft.`);
    await navigate(`/workflows/${made.createWorkflow.id}`);
  };
  const createFrom = async (chosen: Template) => {
    const failure = await make(async (client) => {
      const { createFromTemplate, connectionOfType } = await import('./templates/create-from-template.js');
      const connectionOf = (type: string) => connectionOfType(client, type);
      const made = await createFromTemplate(client, chosen, {
        ...values,
        name: values.name.trim(),
        activates: false,
        connectionOf,
      });
      onClose();
      return { ...made, sample: chosen.sample };
    });
    setFailed(failure);
  };
  return (
    <Form
      label="New workflow"
      onSubmit={() => void (template === undefined ? createEmpty() : createFrom(template))}
      fault={fault}
      footer={
        <FormButtons
          submitLabel="Create workflow"
          running={running || making}
          onCancel={onClose}
          disabled={missing !== undefined}
          pinned
        />
      }
    >
      <TextInput {...field('name')} label="Name" placeholder="Welcome new customers" required data-autofocus />
      <Textarea
        {...field('description')}
        label="Description"
        description="Its purpose, in a sentence or two."
        maxLength={1_000}
      />
      <TemplateChoice
        email={user?.email ?? ''}
        chosen={template}
        onChoose={choose}
        notice={missing && <MissingNeed need={missing} onLeave={onClose} />}
      />
    </Form>
  );
}
