import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { CancelRunDocument, type RunInDetailFragment } from '../run.generated.js';
import { isFinished } from '../run-states.js';

/** Confirms the cancellation of a run, and says what happens to its current step. */
export function CancelRunDialog({ run, opened, onClose }: CancelRunDialogProps) {
  const { run: cancel, running } = useAction(CancelRunDocument);
  const stop = async () => {
    const done = await cancel({ id: run.id });
    onClose();
    if (done === undefined) return;
    notifyDone(isFinished(done.cancelRun.status) ? 'The run is canceled.' : 'The run ends after the current step.');
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Cancel this run?"
      confirmLabel="Cancel run"
      dismissLabel="Keep it running"
      onConfirm={() => void stop()}
      running={running}
    >
      {run.status === 'QUEUED' || run.status === 'WAITING' || run.resumesAt !== null
        ? 'It ends at once, without further steps.'
        : 'The current step is finished first, then the run ends.'}{' '}
      Finished steps are not undone. You can retry the run later, from where it stopped.
    </ConfirmDialog>
  );
}

/** The run to cancel. */
export interface CancelRunDialogProps {
  run: RunInDetailFragment;
  opened: boolean;
  onClose: () => void;
}
