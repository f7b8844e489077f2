import { Button, Group, Modal, Stack } from '@mantine/core';
import { useAction } from '../../../ui/forms/use-action.js';
import { useSecretOnce } from '../../../ui/forms/use-secret-once.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { WebhookSecret } from '../webhook-secret.js';
import { RotateWebhookSecretDocument } from '../webhooks.generated.js';

/** Confirms and creates a new signing secret, and shows it once. */
export function RotateSecretDialog({ webhook: { id }, opened, onClose }: WebhookDialogProps) {
  const { run, running } = useAction(RotateWebhookSecretDocument);
  const { made: secret, show, stored, modal } = useSecretOnce<string>(opened, onClose);
  const rotate = async () => {
    const made = await run({ id });
    if (made !== undefined) show(made.rotateWebhookSecret.secret);
  };
  return (
    <Modal
      {...modal}
      size={secret === undefined ? 500 : 600}
      title={secret === undefined ? 'Rotate the signing secret?' : 'The new signing secret'}
    >
      {secret === undefined ? (
        <Stack gap="md">
          <div>
            Events are then signed with a new secret, and for 24 hours with the old one too, so that none is refused
            while you update the receiver.
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={running} onClick={() => void rotate()} data-autofocus>
              Rotate secret
            </Button>
          </Group>
        </Stack>
      ) : (
        <WebhookSecret secret={secret} onDone={stored} isNew={false} />
      )}
    </Modal>
  );
}
