import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import { DeleteIntegrationDocument } from './connect.generated.js';
import { DependantNames } from './dependant-names.js';
import { type DialogProps } from './disconnect.dialog.js';

/** Asks before a connection is deleted for good; one that workflows need, by its name. */
export function DeleteDialog({ integration, opened, onClose, onDeleting }: DeleteDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteIntegrationDocument);
  const { id, name, workflows } = integration;
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
      confirmLabel="Delete for good"
      running={running}
      onConfirm={() => void remove()}
      typeToConfirm={workflows.meta.total > 0 ? name : undefined}
    >
      <p>
        It is gone with its credentials and its address for events. To connect anew later is possible, but as another
        connection: what names this one has to be changed.
      </p>
      <DependantNames integration={integration} />
    </ConfirmDialog>
  );
}

/** A dialog over the connection's page, which is told when there is nothing to show any more. */
export interface DeleteDialogProps extends DialogProps {
  onDeleting: (deleted: boolean) => void;
}
