import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialogs/dialog.js';
import { FormButtons } from '../../../ui/forms/form-buttons.js';
import { Form } from '../../../ui/forms/form.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { type WebhookDialogProps } from '../webhook-dialog.js';
import { RedeliverWebhookDocument } from '../deliveries.generated.js';

/** Sends the events of a range of time again. Times are those of the browser's time zone. */
export function RedeliverWebhookDialog({ webhook: { id }, opened, onClose, onDone }: WebhookDialogProps) {
  const { run, running, fault } = useAction(RedeliverWebhookDocument, { inForm: true });
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [onlyFailed, setOnlyFailed] = useState(true);
  const send = async () => {
    const input = {
      since: new Date(since).toISOString(),
      ...(until !== '' && { until: new Date(until).toISOString() }),
      ...(onlyFailed && { status: 'FAILED' as const }),
    };
    const done = await run({ id, input });
    if (done === undefined) return;
    const { deliveries } = done.redeliverWebhook;
    onClose();
    onDone?.();
    notifyDone(deliveries === 0 ? 'No delivery matches.' : `Deliveries that are sent again: ${deliveries}.`);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Send a range again">
      <Form
        label="Send a range again"
        onSubmit={() => void send()}
        fault={fault}
        footer={<FormButtons submitLabel="Send again" running={running} onCancel={onClose} disabled={since === ''} />}
      >
        <TextInput
          type="datetime-local"
          label="From"
          description="At most 30 days ago."
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
          required
        />
        <TextInput
          type="datetime-local"
          label="To"
          description="Empty: until now."
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        <Checkbox
          label="Only events that did not arrive"
          checked={onlyFailed}
          onChange={({ currentTarget }) => setOnlyFailed(currentTarget.checked)}
        />
      </Form>
    </Dialog>
  );
}
