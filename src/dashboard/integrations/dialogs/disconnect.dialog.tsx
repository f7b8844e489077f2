import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { DependantNames } from '../dependants/dependant-names.js';
import { DisconnectIntegrationDocument } from '../integration.generated.js';
import { type IntegrationDetail } from '../integration-detail.js';

/** Confirms the end of a connection, and lists the workflows that depend on it. */
export function DisconnectDialog({ integration, opened, onClose }: DialogProps) {
  const { run, running } = useAction(DisconnectIntegrationDocument);
  const app = integration.integrationType?.name ?? integration.type;
  const disconnect = async () => {
    if ((await run({ id: integration.id })) === undefined) return;
    onClose();
    notifyDone(`“${integration.name}” is disconnected.`);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Disconnect ${integration.name}?`}
      confirmLabel="Disconnect"
      running={running}
      onConfirm={() => void disconnect()}
    >
      <p>
        Its credentials are deleted here and revoked at {app} if it supports that. You can reconnect it later: workflows
        that use it then continue.
      </p>
      <DependantNames integration={integration} />
    </ConfirmDialog>
  );
}

/** A dialog over the connection's page. */
export interface DialogProps {
  integration: IntegrationDetail;
  opened: boolean;
  onClose: () => void;
}
