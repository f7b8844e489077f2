import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { DeleteDialog } from './dialogs/delete.dialog.js';
import { DisconnectDialog } from './dialogs/disconnect.dialog.js';
import { RenameDialog } from './dialogs/rename.dialog.js';
import { type IntegrationDetail } from './integration-detail.js';
import { TestButton } from './test-button.js';
import { useReconnect } from './use-reconnect.js';
import { IconDots, IconPencil, IconPlugConnectedX, IconPlugConnected, IconTrash } from '../ui/icons/icons.js';

/** The actions of a connection; `onDeleting` is called before the deletion, and again if the deletion failed. */
export function IntegrationActions({ integration, onDeleting }: IntegrationActionsProps) {
  const { status, integrationType } = integration;
  const { reconnect, dialog } = useReconnect();
  const [renaming, rename] = useDisclosure();
  const [disconnecting, disconnect] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const connected = status === 'CONNECTED';
  return (
    <>
      {connected && <TestButton integration={integration} />}
      {integrationType?.configured === true && (
        <Button
          variant={connected ? 'default' : 'filled'}
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          onClick={() => reconnect(integration)}
        >
          {status === 'PENDING' ? 'Start again' : 'Reconnect'}
        </Button>
      )}
      <Menu withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={rename.open}>
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlugConnectedX size={15} aria-hidden />}
            disabled={status === 'DISCONNECTED'}
            onClick={disconnect.open}
          >
            Disconnect
          </Menu.Item>
          <Menu.Item color="var(--wg-bad)" leftSection={<IconTrash size={15} aria-hidden />} onClick={remove.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
      <RenameDialog integration={integration} opened={renaming} onClose={rename.close} />
      <DisconnectDialog integration={integration} opened={disconnecting} onClose={disconnect.close} />
      <DeleteDialog integration={integration} opened={deleting} onClose={remove.close} onDeleting={onDeleting} />
    </>
  );
}

/** The connection, and the callback for its deletion. */
export interface IntegrationActionsProps {
  integration: IntegrationDetail;
  onDeleting: (deleting: boolean) => void;
}
