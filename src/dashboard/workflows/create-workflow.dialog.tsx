import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Form } from '../ui/forms/form.js';
import { notifyDone } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFields } from '../ui/forms/use-fields.js';
import { CreateWorkflowDocument } from './workflows.generated.js';

/** Asks for name and description of a new workflow, creates a draft and opens it. */
export function CreateWorkflowDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New workflow">
      <CreateWorkflowForm onClose={onClose} />
    </Modal>
  );
}

function CreateWorkflowForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { run, running, fault } = useAction(CreateWorkflowDocument, { inForm: true });
  const { values, field } = useFields({ name: '', description: '' }, fault);
  const create = async () => {
    const made = await run({ input: values });
    if (made === undefined) return;
    onClose();
    notifyDone(`“${made.createWorkflow.name}” is created, as a draft.`);
    await navigate(`/workflows/${made.createWorkflow.id}`);
  };
  return (
    <Form
      label="New workflow"
      onSubmit={() => void create()}
      fault={fault}
      footer={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={running}>
            Create workflow
          </Button>
        </Group>
      }
    >
      <TextInput {...field('name')} label="Name" placeholder="Welcome new customers" required data-autofocus />
      <Textarea
        {...field('description')}
        label="Description"
        description="Its purpose, in a sentence or two."
        maxLength={1_000}
      />
    </Form>
  );
}
