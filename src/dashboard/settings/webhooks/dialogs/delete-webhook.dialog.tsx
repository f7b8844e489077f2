import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { DeleteWebhookDocument } from '../webhooks.generated.js';

/** Confirms the permanent deletion of a webhook and its log. */
export function DeleteWebhookDialog({ webhook: { id, url }, opened, onClose, onDone }: WebhookDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteWebhookDocument);
  const remove = async () => {
    if ((await run({ id })) === undefined) return;
    onDone?.();
    notifyDone('The webhook is deleted.');
    await navigate('/settings/webhooks', { replace: true });
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this webhook?"
      confirmLabel="Delete permanently"
      onConfirm={() => void remove()}
      running={running}
    >
      Nothing more is sent to <strong style={{ overflowWrap: 'anywhere' }}>{url}</strong>, including waiting deliveries,
      and its delivery log is deleted. To pause it, disable it.
    </ConfirmDialog>
  );
}
