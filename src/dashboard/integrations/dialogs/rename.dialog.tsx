import { TextInput } from '@mantine/core';
import { Dialog } from '../../ui/dialogs/dialog.js';
import { Form } from '../../ui/forms/form.js';
import { FormButtons } from '../../ui/forms/form-buttons.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { RenameIntegrationDocument } from '../integration.generated.js';
import { type DialogProps } from './disconnect.dialog.js';

/** Renames a connection. */
export function RenameDialog({ integration, opened, onClose }: DialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Rename connection">
      <RenameForm integration={integration} onClose={onClose} />
    </Dialog>
  );
}

function RenameForm({ integration: { id, name }, onClose }: Omit<DialogProps, 'opened'>) {
  const { run, running, fault } = useAction(RenameIntegrationDocument, { inForm: true });
  const { values, field } = useFields({ name }, fault);
  const save = async () => {
    const wanted = values.name.trim();
    if (wanted !== name && (await run({ id, name: wanted })) === undefined) return;
    onClose();
    notifyDone('Saved.');
  };
  return (
    <Form
      label="Rename connection"
      onSubmit={() => void save()}
      fault={fault}
      footer={<FormButtons submitLabel="Save" running={running} onCancel={onClose} />}
    >
      <TextInput
        {...field('name')}
        label="Name"
        description="Shown in lists. It distinguishes several connections to one application."
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
    </Form>
  );
}
