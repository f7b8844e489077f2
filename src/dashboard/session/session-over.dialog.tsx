import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { discardUnsaved } from '../ui/forms/unsaved.js';
import { useSessionOver } from './session-over.js';
import { goToSignIn } from './where-to.js';

/**
 * Where a session ends beside unsaved work: keeps the page until one has signed in again elsewhere, and closes by
 * itself.
 */
export function SessionOverDialog() {
  const over = useSessionOver();
  useOnlyDialog(over);
  const leave = (): void => {
    discardUnsaved();
    goToSignIn();
  };
  return (
    <Modal opened={over} onClose={() => undefined} title="You are signed out" withCloseButton={false} zIndex={500}>
      <Stack gap="md">
        <div>
          Your session has ended, and this page has unsaved changes. Sign in in another tab and come back: your changes
          are still here, and you can save them.
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={leave}>
            Discard and sign in here
          </Button>
          <Button
            component="a"
            href="/sign-in"
            target="_blank"
            rightSection={<IconExternalLink size={15} aria-hidden />}
            data-autofocus
          >
            Sign in in a new tab
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Escape would close the dialog below, with what was typed there: of two dialogs Mantine closes both. */
function useOnlyDialog(over: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (over && event.key === 'Escape') event.stopImmediatePropagation();
  });
  useEffect(() => {
    // Listens from the start: before any other dialog does.
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
