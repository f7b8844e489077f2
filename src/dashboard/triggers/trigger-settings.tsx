import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../ui/form.js';
import { LeaveGuard } from '../ui/leave-guard.js';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import classes from './trigger.module.css';
import { TriggerFields } from './trigger-fields.js';
import { type TriggerDetail } from './trigger-detail.js';
import { UpdateTriggerDocument } from './triggers.generated.js';
import { useTriggerForm } from './use-trigger-form.js';

/** The settings of a trigger as a form; saved, they hold at once, and the address stays. */
export function TriggerSettings({ trigger }: { trigger: TriggerDetail }) {
  // Begun anew with what is stored, after a save or by “Undo changes”.
  const [edition, setEdition] = useState(0);
  const stored = JSON.stringify(trigger.config);
  return <SettingsForm key={`${edition} ${stored}`} trigger={trigger} onUndo={() => setEdition(edition + 1)} />;
}

function SettingsForm({ trigger, onUndo }: { trigger: TriggerDetail; onUndo: () => void }) {
  const { run, running, fault } = useAction(UpdateTriggerDocument, { inForm: true });
  const form = useTriggerForm(trigger.type, fault, trigger.config);
  const dirty = JSON.stringify(form.config) !== JSON.stringify(trigger.config);
  const save = async () => {
    const done = await run({ id: trigger.id, input: { config: form.config } });
    if (done !== undefined) notifyDone('The settings are saved.');
  };
  return (
    <div className={classes.settings}>
      <Form
        label="Settings of the trigger"
        onSubmit={() => void save()}
        fault={fault}
        footer={
          <Group gap="xs">
            <Button type="submit" loading={running} disabled={!dirty}>
              Save
            </Button>
            {dirty && (
              <Button variant="default" onClick={onUndo}>
                Undo changes
              </Button>
            )}
          </Group>
        }
      >
        <TriggerFields form={form} />
      </Form>
      <LeaveGuard dirty={dirty}>The changes to the settings are not saved. They are lost when you leave.</LeaveGuard>
    </div>
  );
}
