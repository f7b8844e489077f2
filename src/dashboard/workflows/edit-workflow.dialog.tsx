import { Button, Group, Modal } from '@mantine/core';
import { type WorkflowOfPage } from './workflow-context.js';
import { WorkflowDetailsForm } from './workflow-details-form.js';

/** Name and description, from the head of the page. */
export function EditWorkflowDialog({ workflow, opened, onClose }: EditWorkflowDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Edit workflow">
      <WorkflowDetailsForm
        workflow={workflow}
        onSaved={onClose}
        footer={({ running }) => (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={running}>
              Save
            </Button>
          </Group>
        )}
      />
    </Modal>
  );
}

interface EditWorkflowDialogProps {
  workflow: WorkflowOfPage;
  opened: boolean;
  onClose: () => void;
}
