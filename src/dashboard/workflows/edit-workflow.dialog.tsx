import { Button, Group } from '@mantine/core';
import { Dialog } from '../ui/dialogs/dialog.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { WorkflowDetailsForm } from './workflow-details-form.js';

/** Name and description, from the head of the page. */
export function EditWorkflowDialog({ workflow, opened, onClose }: EditWorkflowDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit workflow">
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
    </Dialog>
  );
}

interface EditWorkflowDialogProps {
  workflow: WorkflowOfPage;
  opened: boolean;
  onClose: () => void;
}
