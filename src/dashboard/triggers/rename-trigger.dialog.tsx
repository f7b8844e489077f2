import { TextInput } from '@mantine/core';
import { Dialog } from '../ui/dialogs/dialog.js';
import { Form } from '../ui/forms/form.js';
import { FormButtons } from '../ui/forms/form-buttons.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFields } from '../ui/forms/use-fields.js';
import { notifyDone } from '../ui/pages/notify.js';
import { type TriggerDetail } from './trigger-detail.js';
import { UpdateTriggerDocument } from './triggers.generated.js';

/** Names a trigger; an empty name removes it. */
export function RenameTriggerDialog({ trigger, opened, onClose }: RenameTriggerDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Rename trigger">
      <RenameForm trigger={trigger} onClose={onClose} />
    </Dialog>
  );
}

function RenameForm({ trigger: { id, name }, onClose }: Omit<RenameTriggerDialogProps, 'opened'>) {
  const { run, running, fault } = useAction(UpdateTriggerDocument, { inForm: true });
  const { values, field } = useFields({ name: name ?? '' }, fault);
  const save = async () => {
    const wanted = values.name.trim() || null;
    if (wanted !== name && (await run({ id, input: { name: wanted } })) === undefined) return;
    onClose();
    notifyDone('Saved.');
  };
  return (
    <Form
      label="Rename trigger"
      onSubmit={() => void save()}
      fault={fault}
      footer={<FormButtons submitLabel="Save" running={running} onCancel={onClose} />}
    >
      <TextInput
        {...field('name')}
        label="Name (optional)"
        description="Shown in lists. It distinguishes several triggers of one type."
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
    </Form>
  );
}

interface RenameTriggerDialogProps {
  trigger: TriggerDetail;
  opened: boolean;
  onClose: () => void;
}
