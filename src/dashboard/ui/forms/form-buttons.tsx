import { Button, Group } from '@mantine/core';

/** The buttons of a form in a dialog: cancel and submit. */
export function FormButtons({ submitLabel, running, onCancel, disabled = false }: FormButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={running} disabled={disabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}

/** `submitLabel` names the action, e.g. “Create key”. */
export interface FormButtonsProps {
  submitLabel: string;
  running: boolean;
  onCancel: () => void;
  disabled?: boolean;
}
