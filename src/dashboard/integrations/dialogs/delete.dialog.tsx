import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { DeleteIntegrationDocument } from '../connect.generated.js';
import { DependantNames } from '../dependants/dependant-names.js';
import { type DialogProps } from './disconnect.dialog.js';

/** Confirms the deletion of a connection; if workflows need it, or may use it by its reference, the user types its name. */
export function DeleteDialog({ integration, opened, onClose, onDeleting }: DeleteDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteIntegrationDocument);
  const { id, name, reference, workflows } = integration;
  const remove = async () => {
    if ((await run({ id })) === undefined) return;
    onDeleting(true);
    notifyDone(`“${name}” is deleted.`);
    await navigate('/integrations', { replace: true });
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete permanently"
      running={running}
      onConfirm={() => void remove()}
      typeToConfirm={workflows.meta.total > 0 || reference !== null ? name : undefined}
    >
      <p>
        This deletes the connection, its credentials and its event URL. You can reconnect later, but it will be a new
        connection, so everything that uses this one must be updated.
      </p>
      <DependantNames integration={integration} />
    </ConfirmDialog>
  );
}

/** The dialog on the connection's page; `onDeleted` fires when the page has nothing left to show. */
export interface DeleteDialogProps extends DialogProps {
  onDeleting: (deleted: boolean) => void;
}
