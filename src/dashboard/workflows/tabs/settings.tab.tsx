import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { DeleteWorkflowDialog } from '../delete-workflow.dialog.js';
import classes from './settings.module.css';
import { FailureNoticeForm } from './failure-notice-form.js';
import { useWorkflow } from '../workflow-context.js';
import { WorkflowDetailsForm } from '../workflow-details-form.js';

/** `/workflows/:id/settings`: name, description, failure notices and deletion. */
export function SettingsTab() {
  const { workflow, setDetailsDirty } = useWorkflow();
  const [deleting, dialog] = useDisclosure();
  return (
    <div className={classes.settings}>
      <section className={classes.section} aria-labelledby="settings-details">
        <h2 id="settings-details">Details</h2>
        <WorkflowDetailsForm
          workflow={workflow}
          onDirty={setDetailsDirty}
          footer={({ running, changed }) => (
            <div>
              <Button type="submit" loading={running} disabled={!changed}>
                Save
              </Button>
            </div>
          )}
        />
      </section>
      <section className={classes.section} aria-labelledby="settings-failures">
        <h2 id="settings-failures">Failure notices</h2>
        <FailureNoticeForm workflow={workflow} />
      </section>
      <section className={classes.section} aria-labelledby="settings-delete">
        <h2 id="settings-delete">Delete this workflow</h2>
        <p>This also deletes its triggers and cannot be undone. To keep it without running, archive it.</p>
        <Button variant="outline" color="red" className={classes.delete} onClick={dialog.open}>
          Delete workflow
        </Button>
      </section>
      <DeleteWorkflowDialog workflow={workflow} opened={deleting} onClose={dialog.close} />
    </div>
  );
}
