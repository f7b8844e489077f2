import { Button, Group, Modal, Stack } from '@mantine/core';
import { discardUnsaved } from '../ui/forms/unsaved.js';
import { goToSignIn } from './where-to.js';
import { IconExternalLink } from '../ui/icons/icons.js';

/** Explains how to continue after the session has ended. */
export function SessionOverDialog({ opened }: { opened: boolean }) {
  const leave = (): void => {
    discardUnsaved();
    goToSignIn();
  };
  return (
    <Modal opened={opened} onClose={() => undefined} title="You are signed out" withCloseButton={false} zIndex={500}>
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
