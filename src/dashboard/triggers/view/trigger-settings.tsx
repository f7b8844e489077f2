import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Form } from '../../ui/forms/form.js';
import { LeaveGuard } from '../../ui/forms/leave-guard.js';
import { Notice } from '../../ui/pages/notice.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useSaveOver } from '../../ui/forms/use-save-over.js';
import classes from '../trigger.module.css';
import { type TriggerConfig } from '../trigger-config.js';
import { TriggerFields } from '../fields/trigger-fields.js';
import { type TriggerDetail } from '../trigger-detail.js';
import { TriggerVersionDocument, UpdateTriggerDocument, type UpdateTriggerMutation } from '../triggers.generated.js';
import { useTriggerForm } from '../use-trigger-form.js';

/** The settings of a trigger as a form. Saved settings apply at once, and the URL of the hook stays the same. */
export function TriggerSettings({ trigger }: { trigger: TriggerDetail }) {
  const [begun, setBegun] = useState({ edition: 0, base: trigger.config });
  const begin = (base: TriggerConfig): void => setBegun({ edition: begun.edition + 1, base });
  return <SettingsForm key={begun.edition} trigger={trigger} base={begun.base} onBegin={begin} />;
}

/** `base` holds the stored settings when editing began; `onBegin` restarts the form. */
interface SettingsFormProps {
  trigger: TriggerDetail;
  base: TriggerConfig;
  onBegin: (base: TriggerConfig) => void;
}

function SettingsForm({ trigger, base, onBegin }: SettingsFormProps) {
  const { save: saveOver, running, fault } = useSaveConfig(trigger.id);
  const form = useTriggerForm(trigger.type, fault, base);
  const dirty = !isSame(form.config, base);
  const isOverwriting = dirty && !running && !isSame(trigger.config, base);
  useEffect(() => {
    // Stored by another user, or just saved here.
    if (!isSame(trigger.config, base) && (!dirty || isSame(trigger.config, form.config))) onBegin(trigger.config);
  });
  const save = async () => {
    if (!form.check()) return;
    // After a conflict nothing is saved: the page has the settings of the other user, and the notice below says so.
    const done = await saveOver({ config: form.config }, trigger);
    if (done === undefined) return;
    onBegin(done.updateTrigger.config);
    notifyDone('The settings are saved.');
  };
  return (
    <div className={classes.settings}>
      <Form
        label="Settings of the trigger"
        onSubmit={() => void save()}
        fault={form.fault}
        footer={
          <Group gap="xs">
            <Button type="submit" loading={running} disabled={!dirty}>
              Save
            </Button>
            {dirty && (
              <Button variant="default" onClick={() => onBegin(trigger.config)}>
                Undo changes
              </Button>
            )}
          </Group>
        }
      >
        <TriggerFields form={form} />
        <div role="status" className={classes.overwriting}>
          {isOverwriting && (
            <Notice tone="warn" title="Another tab or another user has changed these settings since you began">
              “Save” replaces those settings with yours. “Undo changes” shows them.
            </Notice>
          )}
        </div>
      </Form>
      <LeaveGuard dirty={dirty}>The changes to the settings are not saved. Leaving the page discards them.</LeaveGuard>
    </div>
  );
}

function useSaveConfig(id: string) {
  const client = useClient();
  return useSaveOver<{ config: TriggerConfig }, UpdateTriggerMutation>({
    read: async () => {
      const { data, error } = await client.query(TriggerVersionDocument, { id }, { requestPolicy: 'network-only' });
      return { data: data && { fields: data.trigger, version: data.trigger.etag }, error };
    },
    write: (input, version) => client.mutation(UpdateTriggerDocument, { id, input, version }).toPromise(),
  });
}

function isSame(one: TriggerConfig, other: TriggerConfig): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
