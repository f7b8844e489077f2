import { Button } from '@mantine/core';
import { useState } from 'react';
import { callAuth } from '../../../session/auth-api.js';
import { knowsPasskeys } from '../../../session/passkey-browser.js';
import { useAuthOptions } from '../../../session/use-auth-options.js';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.js';
import { lazyDialog } from '../../../ui/dialogs/lazy-dialog.js';
import { notifyDone, notifyFault } from '../../../ui/pages/notify.js';
import { RelativeTime } from '../../../ui/values/relative-time.js';
import classes from '../session-list.module.css';
import { type OwnPasskey, usePasskeys } from './use-passkeys.js';

const AddPasskeyDialog = lazyDialog(async () => (await import('./add-passkey.dialog.js')).AddPasskeyDialog);

/** The person's passkeys: adds and deletes them. */
export function PasskeyList() {
  const { answer, reload } = usePasskeys();
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<OwnPasskey>();
  if (answer?.ok === false) return <p role="alert">{answer.fault.message}</p>;
  const passkeys = answer?.data.passkeys;
  return (
    <>
      {passkeys?.length === 0 && <p>You have no passkey yet.</p>}
      <ul className={classes.list} aria-label="Passkeys" aria-busy={answer === undefined} hidden={!passkeys?.length}>
        {passkeys?.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <strong>{passkey.name}</strong>
              <Times of={passkey} />
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={`Delete ${passkey.name}`}
              onClick={() => setDeleting(passkey)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <AddButton onClick={() => setAdding(true)} />
      <AddPasskeyDialog opened={adding} onClose={() => setAdding(false)} onAdded={reload} />
      <DeleteDialog of={deleting} onClose={() => setDeleting(undefined)} onDeleted={reload} />
    </>
  );
}

function Times({ of: { created_at: createdAt, used_at: usedAt } }: { of: OwnPasskey }) {
  return (
    <span className={classes.soft}>
      Added <RelativeTime at={createdAt} />, {usedAt === null ? 'never used' : 'last used '}
      {usedAt !== null && <RelativeTime at={usedAt} />}
    </span>
  );
}

function AddButton({ onClick }: { onClick: () => void }) {
  const options = useAuthOptions();
  if (options?.passkeys === false) {
    return <p>Browsers create passkeys for host names only, and BASE_URL of this service is an IP address.</p>;
  }
  if (!knowsPasskeys()) return <p>This browser cannot create passkeys here.</p>;
  return (
    <div>
      <Button variant="default" onClick={onClick}>
        Add a passkey
      </Button>
    </div>
  );
}

function DeleteDialog({ of: passkey, onClose, onDeleted }: DeleteDialogProps) {
  const [running, setRunning] = useState(false);
  const remove = async (): Promise<void> => {
    setRunning(true);
    const removed = await callAuth('/remove-passkey', { id: passkey?.id });
    setRunning(false);
    if (!removed.ok) notifyFault(removed.fault);
    else notifyDone(`Passkey “${passkey?.name}” deleted.`);
    onClose();
    onDeleted();
  };
  return (
    <ConfirmDialog
      opened={passkey !== undefined}
      onClose={onClose}
      title={`Delete passkey “${passkey?.name ?? ''}”?`}
      confirmLabel="Delete passkey"
      onConfirm={() => void remove()}
      running={running}
    >
      It no longer signs you in. Sessions that it started stay signed in. Your device may still offer it: delete it
      there too.
    </ConfirmDialog>
  );
}

/** Without a passkey the dialog is closed. */
interface DeleteDialogProps {
  of: OwnPasskey | undefined;
  onClose: () => void;
  onDeleted: () => void;
}
