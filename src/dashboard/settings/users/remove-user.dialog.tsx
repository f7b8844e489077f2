import { useViewer } from '../../session/viewer.js';
import { goToSignIn } from '../../session/where-to.js';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { type DialogOf } from '../../ui/forms/use-dialog-of.js';
import { RemoveUserDocument, type UserRowFragment } from './users.generated.js';

/** Confirms the removal of a user; users who remove themselves are signed out. */
export function RemoveUserDialog({ about: user, opened, close }: DialogOf<UserRowFragment>) {
  const { user: self, account } = useViewer();
  const { run, running } = useAction(RemoveUserDocument);
  if (user === undefined) return null;
  const isSelf = user.id === self?.id;
  const remove = async () => {
    if ((await run({ id: user.id })) === undefined) return;
    if (isSelf) return goToSignIn('/');
    close();
    notifyDone(`${user.name} is removed.`);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={isSelf ? 'Remove yourself?' : `Remove ${user.name}?`}
      confirmLabel={isSelf ? 'Remove me and sign out' : 'Remove user'}
      onConfirm={() => void remove()}
      running={running}
    >
      {isSelf
        ? `You are signed out at once, and cannot sign in to “${account.name}” unless a user invites you again.`
        : `${user.email} is signed out everywhere at once and can no longer sign in.`}{' '}
      API keys, workflows and connections stay: revoke the keys that only {isSelf ? 'you' : 'this person'} should have
      known.
    </ConfirmDialog>
  );
}
