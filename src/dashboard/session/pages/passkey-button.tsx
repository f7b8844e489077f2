import { Button, Stack } from '@mantine/core';
import { FormFault } from '../../ui/forms/form.js';
import { usePasskeySignIn } from '../use-passkey-sign-in.js';
import { IconFingerprint } from '../../ui/icons/icons.js';

/** Signs in with a passkey, also from the browser's suggestions at the email field; then goes to `to`. */
export function PasskeyButton({ to }: { to: string }) {
  const { signIn, running, fault } = usePasskeySignIn(to);
  return (
    <Stack gap="xs" mt="xs">
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={16} aria-hidden />}
        loading={running}
        onClick={() => void signIn()}
      >
        Sign in with a passkey
      </Button>
      {fault !== undefined && <FormFault fault={fault} />}
    </Stack>
  );
}
