import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { UpdateWebhookDocument } from '../webhooks.generated.js';

/** Confirms that a webhook is disabled and its waiting deliveries are canceled. */
export function DisableWebhookDialog({ webhook: { id }, opened, onClose, onDone }: WebhookDialogProps) {
  const { run, running } = useAction(UpdateWebhookDocument);
  const disable = async () => {
    if ((await run({ id, input: { status: 'DISABLED' } })) === undefined) return;
    onClose();
    onDone?.();
    notifyDone('The webhook is disabled.');
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Disable this webhook?"
      confirmLabel="Disable"
      onConfirm={() => void disable()}
      running={running}
    >
      It receives no events until you enable it again. Deliveries that wait for their next attempt are canceled; they
      stay in the list, and you can resend them.
    </ConfirmDialog>
  );
}
