import { useNavigate } from 'react-router';
import { Dialog } from '../../../ui/dialogs/dialog.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { useSecretOnce } from '../../../ui/forms/use-secret-once.js';
import { WebhookForm, type WebhookValues } from '../webhook-form.js';
import { WebhookSecret } from '../webhook-secret.js';
import { CreateWebhookDocument } from '../webhooks.generated.js';

/** A newly created webhook. */
interface NewWebhook {
  id: string;
  secret: string;
}

/** Creates a webhook, shows its secret once, and opens its page. */
export function NewWebhookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const { made, show, stored, modal } = useSecretOnce<NewWebhook>(opened, onClose);
  const finish = async (id: string) => {
    stored();
    await navigate(`/settings/webhooks/${id}`);
  };
  return (
    <Dialog {...modal} size={600} title={made === undefined ? 'New webhook' : 'The webhook is ready'}>
      {made === undefined ? (
        <NewWebhookForm onClose={onClose} onMade={show} />
      ) : (
        <WebhookSecret secret={made.secret} onDone={() => void finish(made.id)} />
      )}
    </Dialog>
  );
}

function NewWebhookForm({ onClose, onMade }: { onClose: () => void; onMade: (made: NewWebhook) => void }) {
  const { run, running, fault } = useAction(CreateWebhookDocument, { inForm: true });
  const create = async ({ url, events, workflowId }: WebhookValues) => {
    const answer = await run({ input: { url, events, workflowId: workflowId === '' ? null : workflowId } });
    if (answer === undefined) return;
    const { webhook, secret } = answer.createWebhook;
    onMade({ id: webhook.id, secret });
  };
  return (
    <WebhookForm
      label="New webhook"
      submitLabel="Create webhook"
      running={running}
      fault={fault}
      onSubmit={(values) => void create(values)}
      onCancel={onClose}
    />
  );
}
