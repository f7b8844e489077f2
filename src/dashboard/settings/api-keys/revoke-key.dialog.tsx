import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { useAction } from '../../ui/forms/use-action.js';
import { type DialogOf } from '../../ui/forms/use-dialog-of.js';
import { type ApiKeyRowFragment, RevokeApiKeyDocument } from './api-keys.generated.js';

/** Confirms the permanent revocation of a key, and shows whether it is in use. */
export function RevokeKeyDialog({ about: key, opened, close }: DialogOf<ApiKeyRowFragment>) {
  const { run, running } = useAction(RevokeApiKeyDocument);
  if (key === undefined) return null;
  const revoke = async () => {
    if ((await run({ id: key.id })) === undefined) return;
    close();
    notifyDone(`“${key.label}” is revoked.`);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={`Revoke “${key.label}”?`}
      confirmLabel="Revoke key"
      onConfirm={() => void revoke()}
      running={running}
    >
      {key.lastUsedAt === null ? (
        'It was never used. '
      ) : (
        <>
          It was last used <RelativeTime at={key.lastUsedAt} />.{' '}
        </>
      )}
      From now on every request with <code>wfk_…{key.lastFour}</code> is refused, and its open connections close at
      once. This cannot be undone; to replace it without a gap, rotate it.
    </ConfirmDialog>
  );
}
