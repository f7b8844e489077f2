import { Modal } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useAction } from '../../ui/use-action.js';
import { useSecretOnce } from '../../ui/use-secret-once.js';
import { WebhookForm, type WebhookValues } from './webhook-form.js';
import { WebhookSecret } from './webhook-secret.js';
import { CreateWebhookDocument } from './webhooks.generated.js';

/** Asks for address and events, shows the secret once, and goes to the new webhook. */
export function NewWebhookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const { run, running, fault } = useAction(CreateWebhookDocument, { inForm: true });
  const { made, show, stored, modal } = useSecretOnce<{ id: string; secret: string }>(opened, onClose);
  const create = async ({ url, events, workflowId }: WebhookValues) => {
    const answer = await run({ input: { url, events, workflowId: workflowId === '' ? null : workflowId } });
    if (answer === undefined) return;
    const { webhook, secret } = answer.createWebhook;
    show({ id: webhook.id, secret });
  };
  const finish = async (id: string) => {
    stored();
    await navigate(`/settings/webhooks/${id}`);
  };
  return (
    <Modal {...modal} size={600} title={made === undefined ? 'New webhook' : 'The webhook is ready'}>
      {made === undefined ? (
        <WebhookForm
          label="New webhook"
          submitLabel="Create webhook"
          running={running}
          fault={fault}
          onSubmit={(values) => void create(values)}
          onCancel={onClose}
        />
      ) : (
        <WebhookSecret secret={made.secret} onDone={() => void finish(made.id)} />
      )}
    </Modal>
  );
}
