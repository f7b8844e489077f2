import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.js';
import { GONE } from '../ui/forms/leave-guard.js';
import { notifyDone } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { type TriggerDetail } from './trigger-detail.js';
import { DeleteTriggerDocument } from './triggers.generated.js';

/** Confirms the deletion of a trigger, and lists the consequences. */
export function DeleteTriggerDialog({ trigger, opened, onClose }: DeleteTriggerDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteTriggerDocument);
  const remove = async () => {
    // Leave the page first, because it has nothing left to show.
    const done = await run({ id: trigger.id });
    onClose();
    if (done === undefined) return;
    notifyDone('The trigger is deleted.');
    await navigate('/triggers', { state: GONE });
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this trigger?"
      confirmLabel="Delete trigger"
      onConfirm={() => void remove()}
      running={running}
    >
      “{trigger.workflow.name}” is no longer started by it.{' '}
      {trigger.webhookUrl !== null && 'Its URL stops working permanently: a new trigger gets another one. '}
      Its past runs are kept. To stop it temporarily, pause it instead.
    </ConfirmDialog>
  );
}

/** The trigger to delete. */
export interface DeleteTriggerDialogProps {
  trigger: TriggerDetail;
  opened: boolean;
  onClose: () => void;
}
