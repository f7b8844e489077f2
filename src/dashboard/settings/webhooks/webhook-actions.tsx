import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFocusBack } from '../../ui/use-focus-back.js';
import { DeleteWebhookDialog } from './dialogs/delete-webhook.dialog.js';
import { TestWebhookDocument } from './deliveries.generated.js';
import { DisableWebhookDialog } from './dialogs/disable-webhook.dialog.js';
import { EditWebhookDialog } from './dialogs/edit-webhook.dialog.js';
import { RedeliverWebhookDialog } from './dialogs/redeliver-webhook.dialog.js';
import { RotateSecretDialog } from './dialogs/rotate-secret.dialog.js';
import { UpdateWebhookDocument, type WebhookFactsFragment } from './webhooks.generated.js';
import {
  IconDots,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotate,
  IconSend,
  IconTrash,
} from '../../ui/icons/icons.js';

/** The actions of a webhook. */
export function WebhookActions({ webhook, onSent, onDeleted }: WebhookActionsProps) {
  const { id, status } = webhook;
  const [editing, edit] = useDisclosure();
  const [rotating, rotate] = useDisclosure();
  const [disabling, disable] = useDisclosure();
  const [redelivering, redeliver] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  return (
    <>
      {status === 'ENABLED' ? <TestButton id={id} onSent={onSent} /> : <EnableButton id={id} />}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={edit.open}>
            Edit URL and events
          </Menu.Item>
          <Menu.Item leftSection={<IconRotate size={15} aria-hidden />} onClick={rotate.open}>
            Rotate secret
          </Menu.Item>
          {status === 'ENABLED' && (
            <Menu.Item leftSection={<IconHistory size={15} aria-hidden />} onClick={redeliver.open}>
              Send a range again
            </Menu.Item>
          )}
          {status === 'ENABLED' && (
            <Menu.Item leftSection={<IconPlayerPause size={15} aria-hidden />} onClick={disable.open}>
              Disable
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={remove.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditWebhookDialog webhook={webhook} opened={editing} onClose={edit.close} />
      <RotateSecretDialog webhook={webhook} opened={rotating} onClose={rotate.close} />
      <DisableWebhookDialog webhook={webhook} opened={disabling} onClose={disable.close} onDone={onSent} />
      <RedeliverWebhookDialog webhook={webhook} opened={redelivering} onClose={redeliver.close} onDone={onSent} />
      <DeleteWebhookDialog webhook={webhook} opened={deleting} onClose={remove.close} onDone={onDeleted} />
    </>
  );
}

function TestButton({ id, onSent }: { id: string; onSent: () => void }) {
  const { run, running } = useAction(TestWebhookDocument);
  const button = useFocusBack(running);
  const test = async () => {
    if ((await run({ id })) === undefined) return;
    notifyDone('A test event is on its way: see the result below.');
    onSent();
  };
  return (
    <Button ref={button} leftSection={<IconSend size={16} aria-hidden />} loading={running} onClick={() => void test()}>
      Send test event
    </Button>
  );
}

function EnableButton({ id }: { id: string }) {
  const { run, running } = useAction(UpdateWebhookDocument);
  const enable = async () => {
    if ((await run({ id, input: { status: 'ENABLED' } })) !== undefined) notifyDone('The webhook is enabled.');
  };
  return (
    <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={running} onClick={() => void enable()}>
      Enable
    </Button>
  );
}

/** `onSent` fires when the deliveries have changed. */
export interface WebhookActionsProps {
  webhook: WebhookFactsFragment;
  onSent: () => void;
  onDeleted: () => void;
}
