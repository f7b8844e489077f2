import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type RequestFault } from '../../../graphql/request-fault.js';
import { callAuth } from '../../../session/auth-api.js';
import { loadWebauthn, passkeyFault } from '../../../session/passkey-browser.js';
import { useViewer } from '../../../session/viewer.js';
import { Dialog } from '../../../ui/dialogs/dialog.js';
import { FormButtons } from '../../../ui/forms/form-buttons.js';
import { Form } from '../../../ui/forms/form.js';
import { useFields } from '../../../ui/forms/use-fields.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { browserInWords } from '../browser-words.js';

type CreationOptions = Parameters<Awaited<ReturnType<typeof loadWebauthn>>['startRegistration']>[0]['optionsJSON'];

/** Asks for a name and the password, then lets the browser create a passkey. */
export function AddPasskeyDialog({ opened, onClose, onAdded }: AddPasskeyProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add a passkey">
      <AddPasskeyForm
        onClose={onClose}
        onAdded={(name) => {
          notifyDone(`Passkey “${name}” added.`);
          onClose();
          onAdded();
        }}
      />
    </Dialog>
  );
}

function AddPasskeyForm({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const { hasPassword } = useViewer();
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<RequestFault>();
  const { values, field } = useFields({ name: browserInWords(navigator.userAgent), password: '' }, fault);
  const submit = async (): Promise<void> => {
    setRunning(true);
    setFault(undefined);
    const refused = await add(values).catch(faultOfBrowser);
    setRunning(false);
    if (refused === undefined) onAdded(values.name.trim());
    else setFault(refused);
  };
  return (
    <Form
      label="Add a passkey"
      onSubmit={() => void submit()}
      fault={fault}
      footer={<FormButtons submitLabel="Continue" running={running} onCancel={onClose} />}
    >
      <TextInput
        {...field('name')}
        label="Name"
        description="Helps you tell your passkeys apart. Your browser then asks where to store it."
        autoComplete="off"
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      {hasPassword && (
        <PasswordInput
          {...field('password')}
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
      )}
    </Form>
  );
}

/** @returns the fault of the service. @throws the error of the browser. */
async function add({ name, password }: { name: string; password: string }): Promise<RequestFault | undefined> {
  if (name.trim() === '') return { ...EMPTY, fields: { name: 'must not be empty' } };
  const { startRegistration } = await loadWebauthn();
  const options = await callAuth<CreationOptions>('/passkeys/start', { password });
  if (!options.ok) return options.fault;
  const response = await startRegistration({ optionsJSON: options.data });
  const answer = await callAuth('/passkeys', { name: name.trim(), response });
  return answer.ok ? undefined : answer.fault;
}

const EMPTY: RequestFault = { code: 'VALIDATION_ERROR', message: 'Enter a name.', fields: {}, requestId: undefined };

function faultOfBrowser(error: unknown): RequestFault {
  const message = passkeyFault(error) ?? 'No passkey was created. Try again when you are ready.';
  return { code: 'PASSKEY', message, fields: {}, requestId: undefined };
}

/** `onAdded` runs with a new passkey. */
export interface AddPasskeyProps {
  opened: boolean;
  onClose: () => void;
  onAdded: () => void;
}
