import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { type TriggerForm } from '../use-trigger-form.js';

/** The optional signature secret and deduplication of a webhook trigger. */
export function WebhookFields({ form: { field, values } }: { form: TriggerForm }) {
  const isSigned = values['config.secret'] !== '';
  return (
    <Stack gap="md">
      <PasswordInput
        {...field('config.secret')}
        label="Signing secret (optional)"
        description="With a secret, only posts signed with it (HMAC-SHA256 of the body) are accepted. Without one, keep the URL secret."
        autoComplete="new-password"
      />
      {isSigned && (
        <TextInput
          {...field('config.signature_header')}
          label="Signature header"
          description="The header in which the sender puts sha256=<hex>."
          placeholder="X-Signature-256"
          spellCheck={false}
        />
      )}
      <TextInput
        {...field('config.dedupe_header')}
        label="Deduplication header (optional)"
        description="A header with the id of an event, e.g. the sender’s delivery id. A repeated id starts no second run for 30 days."
        placeholder="X-Delivery-Id"
        spellCheck={false}
      />
    </Stack>
  );
}
