import { Modal } from '@mantine/core';
import { notifyDone } from '../../../ui/pages/notify.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { WebhookForm, type WebhookValues } from '../webhook-form.js';
import { UpdateWebhookDocument } from '../webhooks.generated.js';

/** Changes the URL and the events of a webhook; its workflow is fixed. */
export function EditWebhookDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size={600} title="Edit webhook">
      <EditForm webhook={webhook} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ webhook: { id, url, events, workflowId }, onClose }: Omit<WebhookDialogProps, 'opened'>) {
  const { run, running, fault } = useAction(UpdateWebhookDocument, { inForm: true });
  const save = async (values: WebhookValues) => {
    if ((await run({ id, input: { url: values.url, events: values.events } })) === undefined) return;
    onClose();
    notifyDone('The webhook is saved.');
  };
  return (
    <WebhookForm
      label="Edit webhook"
      initial={{ url, events, workflowId: workflowId ?? '' }}
      submitLabel="Save"
      running={running}
      fault={fault}
      onSubmit={(values) => void save(values)}
      onCancel={onClose}
    />
  );
}
