import { Button, Group } from '@mantine/core';
import { useSending } from '../dialogs/dialog-context.js';
import classes from './form-buttons.module.css';

/** The buttons of a form in a dialog: cancel and submit. The dialog stays open while the form is `running`. */
export function FormButtons({ submitLabel, running, onCancel, disabled = false, pinned = false }: FormButtonsProps) {
  useSending(running);
  return (
    <Group justify="flex-end" gap="xs" {...(pinned && { className: classes.pinned })}>
      <Button variant="default" onClick={onCancel} disabled={running}>
        Cancel
      </Button>
      <Button type="submit" loading={running} disabled={disabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}

/** `submitLabel` names the action, e.g. “Create key”; `pinned` keeps the buttons of a long form in sight. */
export interface FormButtonsProps {
  submitLabel: string;
  running: boolean;
  onCancel: () => void;
  disabled?: boolean;
  pinned?: boolean;
}
