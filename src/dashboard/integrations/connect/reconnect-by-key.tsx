import { FormButtons } from '../../ui/forms/form-buttons.js';
import { Form } from '../../ui/forms/form.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { ReconnectIntegrationDocument } from '../connect.generated.js';
import { faultAtKey } from './key-fault.js';
import { KeyField } from './key-field.js';
import { type Reconnecting } from '../reconnectable.js';

/** Takes a new API key, which is checked first; the old one stays in use until then. */
export function ReconnectByKey({ app, integration, onClose }: Reconnecting & { onClose: () => void }) {
  const { run, running, fault } = useAction(ReconnectIntegrationDocument, { inForm: true });
  const shown = faultAtKey(fault, app.name);
  const { values, field } = useFields({ api_key: '' }, shown);
  const reconnect = async () => {
    const done = await run({ id: integration.id, credentials: { api_key: values.api_key.trim() } });
    if (done === undefined) return;
    onClose();
    notifyDone(`“${integration.name}” is connected again.`);
  };
  return (
    <Form
      label={`Reconnect ${integration.name}`}
      onSubmit={() => void reconnect()}
      fault={shown}
      footer={<FormButtons submitLabel="Check and reconnect" running={running} onCancel={onClose} />}
    >
      <KeyField app={app} field={field('api_key')} focus />
    </Form>
  );
}
