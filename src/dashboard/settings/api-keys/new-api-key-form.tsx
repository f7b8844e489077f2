import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ApiKeyScope } from '../../graphql/enums.generated.js';
import { serviceNow } from '../../graphql/service-clock.js';
import { FormButtons } from '../../ui/forms/form-buttons.js';
import { Form } from '../../ui/forms/form.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { CreateApiKeyDocument, type CreateApiKeyMutation } from './api-keys.generated.js';
import { endOf, ExpirySelect, NEVER } from './expiry-select.js';
import { ScopeChoice } from './scope-choice.js';

/** A newly created key, with its text. */
export type NewKey = CreateApiKeyMutation['createApiKey'];

/** Label, scope and end of a new key. */
export function NewApiKeyForm({ onClose, onMade }: { onClose: () => void; onMade: (made: NewKey) => void }) {
  const { run, running, fault } = useAction(CreateApiKeyDocument, { inForm: true });
  const { values, field } = useFields({ label: '' }, fault);
  const [scope, setScope] = useState<ApiKeyScope>('READ_ONLY');
  const [expiry, setExpiry] = useState(NEVER);
  const [expiryFault, setExpiryFault] = useState<string>();
  const create = async () => {
    const end = endOf(expiry, serviceNow());
    setExpiryFault(end.fault);
    if (end.fault !== undefined) return;
    const made = await run({ input: { label: values.label.trim(), scope, expiresAt: end.at } });
    if (made !== undefined) onMade(made.createApiKey);
  };
  return (
    <Form
      label="New API key"
      onSubmit={() => void create()}
      fault={fault}
      footer={<FormButtons submitLabel="Create key" running={running} onCancel={onClose} />}
    >
      <TextInput
        {...field('label')}
        label="Label"
        description="The program that uses it, so that you know what stops when you revoke it."
        placeholder="Billing backend, production"
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
      />
      <ScopeChoice value={scope} onChange={setScope} />
      <ExpirySelect
        value={expiry}
        onChange={(next) => {
          setExpiry(next);
          setExpiryFault(undefined);
        }}
        error={expiryFault}
      />
    </Form>
  );
}
