import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { Form } from '../../ui/forms/form.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { ConnectFields } from './connect-fields.js';
import { ConnectIntegrationDocument } from '../connect.generated.js';
import { faultAtKey } from './key-fault.js';
import { KeyField } from './key-field.js';
import { useAfterConnect } from './use-after-connect.js';
import { type ConnectableApp, useConnectForm } from './use-connect-form.js';

/**
 * Connects an application by an API key, which the service checks before storing; then opens the
 * connection's page, or the page that needs it.
 */
export function ConnectByKey({ app }: { app: ConnectableApp }) {
  const opens = useAfterConnect();
  const { run, running, fault } = useAction(ConnectIntegrationDocument, { inForm: true });
  const form = useConnectForm(app, faultAtKey(fault, app.name));
  const connect = async () => {
    if (!form.check()) return;
    const credentials = { api_key: (form.values.api_key ?? '').trim() };
    const made = await run({ input: { type: app.type, ...form.input(), credentials } });
    if (made?.connectIntegration.__typename !== 'Integration') return;
    const { id, name } = made.connectIntegration;
    notifyDone(`“${name}” is connected.`);
    await opens(id);
  };
  return (
    <Form
      label={`Connect ${app.name}`}
      onSubmit={() => void connect()}
      fault={form.fault}
      footer={
        <Group justify="flex-end" gap="xs">
          <Button component={Link} to="/integrations/new" variant="default">
            Cancel
          </Button>
          <Button type="submit" loading={running}>
            Check and connect
          </Button>
        </Group>
      }
    >
      <ConnectFields app={app} form={form} />
      <KeyField app={app} field={form.field('api_key')} />
    </Form>
  );
}
