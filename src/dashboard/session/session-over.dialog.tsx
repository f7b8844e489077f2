import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { discardUnsaved } from '../ui/forms/unsaved.js';
import { useSessionOver } from './session-over.js';
import { goToSignIn } from './where-to.js';

/**
 * Keeps a page with unsaved changes open after its session has ended. It closes once the user has signed in again in
 * another tab.
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

/** Stops Escape, which would also close the dialog below and discard its input: Mantine closes both. */
function useOnlyDialog(over: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (over && event.key === 'Escape') event.stopImmediatePropagation();
  });
  useEffect(() => {
    // Attached at the start, before the listener of any other dialog.
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
