import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../ui/forms/form.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { SetEventsSecretDocument } from '../integration.generated.js';

/** A form for the secret with which an application signs its events. It is never shown again, only replaced. */
export function ProviderSecret({ id, app, isSet }: { id: string; app: string; isSet: boolean }) {
  const { run, running, fault } = useAction(SetEventsSecretDocument, { inForm: true });
  // A form that stays visible is reset once its secret is stored, so that nothing is unsaved.
  const [round, setRound] = useState(0);
  const { values, field, forgetEdits } = useFields({ eventsSecret: '' }, fault);
  const set = async (eventsSecret: string | null, done: string) => {
    if ((await run({ id, eventsSecret })) === undefined) return;
    forgetEdits();
    setRound((before) => before + 1);
    notifyDone(done);
  };
  return (
    <Form
      key={round}
      label="Signing secret"
      onSubmit={() => void set(values.eventsSecret.trim(), `Only posts signed by ${app} are accepted.`)}
      fault={fault}
      footer={
        <Group gap="xs">
          <Button type="submit" size="xs" loading={running} disabled={values.eventsSecret.trim() === ''}>
            {isSet ? 'Replace the secret' : 'Set the secret'}
          </Button>
          {isSet && (
            <Button
              variant="default"
              size="xs"
              disabled={running}
              onClick={() => void set(null, `Unsigned posts from ${app} are accepted.`)}
            >
              Remove it
            </Button>
          )}
        </Group>
      }
    >
      <PasswordInput
        {...field('eventsSecret')}
        label="Signing secret"
        description={
          isSet
            ? 'A secret is set and stored encrypted: posts without its signature are refused.'
            : 'No secret is set: unsigned posts are accepted, so keep the URL secret.'
        }
        autoComplete="off"
        data-1p-ignore
      />
    </Form>
  );
}
