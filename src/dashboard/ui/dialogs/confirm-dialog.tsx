import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';
import { useSending } from './dialog-context.js';

/** Confirms an irreversible action, and stays open while it runs; with `typeToConfirm` the button is disabled until the user has typed that text. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="md">
      <Question {...props} />
    </Dialog>
  );
}

/** A new instance each time, so that no earlier input is left. */
function Question(props: ConfirmDialogProps) {
  const { children, confirmLabel, dismissLabel = 'Cancel', onConfirm, onClose, running = false } = props;
  const typeToConfirm = props.typeToConfirm === undefined ? undefined : typeable(props.typeToConfirm);
  useSending(running);
  const [typed, setTyped] = useState('');
  const isSure = typeToConfirm === undefined || typed.trim() === typeToConfirm.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSure) onConfirm();
      }}
    >
      <Stack gap="md">
        <div>{children}</div>
        {typeToConfirm !== undefined && (
          <TextInput
            label={
              <>
                Type “<bdi>{typeToConfirm}</bdi>” to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={running}>
            {dismissLabel}
          </Button>
          <Button type="submit" color="red" disabled={!isSure} loading={running}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A word instead of a name with invisible or direction characters, which a user cannot type. */
function typeable(name: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(name) ? 'delete' : name;
}

/** `children` name the consequences; `onConfirm` closes the dialog when it has finished. */
export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** The label of the button that closes the dialog; needed if “Cancel” could be mistaken for the action itself. */
  dismissLabel?: string;
  onConfirm: () => void;
  running?: boolean;
  typeToConfirm?: string;
}
