import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { callAuth } from '../../session/auth-api.js';
import { goToSignIn } from '../../session/where-to.js';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { notifyFault } from '../../ui/pages/notify.js';

/** Ends all sessions of the person, including this one, after a confirmation. */
export function SignOutEverywhere() {
  const [opened, dialog] = useDisclosure();
  const [running, setRunning] = useState(false);
  const leave = async () => {
    setRunning(true);
    const left = await callAuth('/revoke-sessions', {});
    if (left.ok) return goToSignIn('/');
    setRunning(false);
    notifyFault(left.fault);
  };
  return (
    <>
      <p>
        Lost a device, or left one signed in? End all your sessions at once, including this one. API keys keep working.
      </p>
      <Button variant="default" onClick={dialog.open}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        onConfirm={() => void leave()}
        running={running}
      >
        All your sessions end at once, on every device and in this browser; open pages go to the sign-in page. Your
        password stays as it is. Workflows of the account keep running.
      </ConfirmDialog>
    </>
  );
}
