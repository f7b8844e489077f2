import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../../ui/dialogs/dialog.js';
import { useSaveOver } from '../../../ui/forms/use-save-over.js';
import { Notice } from '../../../ui/pages/notice.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { WebhookForm, type WebhookValues } from '../webhook-form.js';
import { UpdateWebhookDocument, type UpdateWebhookMutation, WebhookVersionDocument } from '../webhooks.generated.js';

/** Changes the URL and the events of a webhook; its workflow is fixed. Saves only what was changed. */
export function EditWebhookDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} size={600} title="Edit webhook">
      <EditForm webhook={webhook} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ webhook: { id, url, events, workflowId }, onClose }: Omit<WebhookDialogProps, 'opened'>) {
  const { save: saveOver, running, fault, theirs } = useSaveWebhook(id);
  const [opened] = useState({ url, events });
  // A second “Save” is meant to replace what another user has stored.
  const seen = theirs ?? opened;
  const save = async (values: WebhookValues) => {
    const changed = {
      ...(values.url !== seen.url && { url: values.url }),
      ...(!isSame(values.events, seen.events) && { events: values.events }),
    };
    if ((await saveOver(changed, seen)) === undefined) return;
    onClose();
    notifyDone('The webhook is saved.');
  };
  return (
    <WebhookForm
      label="Edit webhook"
      initial={{ ...seen, workflowId: workflowId ?? '' }}
      submitLabel="Save"
      running={running}
      fault={fault}
      onSubmit={(values) => void save(values)}
      onCancel={onClose}
    >
      <div role="status">
        {theirs !== undefined && (
          <Notice tone="warn" title="Another tab or another user has changed this webhook since you began">
            “Save” replaces that with yours. “Cancel” leaves it as it is.
          </Notice>
        )}
      </div>
    </WebhookForm>
  );
}

function useSaveWebhook(id: string) {
  const client = useClient();
  return useSaveOver<Pick<WebhookValues, 'url' | 'events'>, UpdateWebhookMutation>({
    read: async () => {
      const { data, error } = await client.query(WebhookVersionDocument, { id }, { requestPolicy: 'network-only' });
      return { data: data && { fields: data.webhook, version: data.webhook.etag }, error };
    },
    write: (input, version) => client.mutation(UpdateWebhookDocument, { id, input, version }).toPromise(),
  });
}

/** The form keeps the order in which events were ticked. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ');
}
