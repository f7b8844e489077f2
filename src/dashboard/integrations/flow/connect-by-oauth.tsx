import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useClient } from 'urql';
import { Form } from '../../ui/forms/form.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { AskedScopes } from '../connect/asked-scopes.js';
import { ConnectFields } from '../connect/connect-fields.js';
import {
  ConnectIntegrationDocument,
  DeleteIntegrationDocument,
  FlowNewsDocument,
  ReconnectIntegrationDocument,
} from '../connect.generated.js';
import { FlowDone } from './flow-done.js';
import { isConnected } from './flow-end.js';
import { FlowFrame } from './flow-frame.js';
import { FlowOpening } from './flow-opening.js';
import { FlowWaiting } from './flow-waiting.js';
import { reasonInWords } from '../status-reasons.js';
import { useAfterConnect } from '../connect/use-after-connect.js';
import { type ConnectableApp, useConnectForm } from '../connect/use-connect-form.js';
import { type FlowSubject, type OAuthFlow, useOAuthFlow } from './use-oauth-flow.js';

/**
 * Connects an application by OAuth: asks for its parameters, opens its window, waits for the end of the flow and opens
 * the connection's page, or the page that needs it.
 */
export function ConnectByOAuth({ app }: { app: ConnectableApp }) {
  const attempt = useAttempt(app);
  const { flow, form } = attempt;
  const { state } = flow;
  if (state.is === 'waiting') return <FlowWaiting app={app} state={state} flow={flow} onCancel={attempt.forget} />;
  if (state.is === 'ended') return <Ended app={app} reason={state.reason} attempt={attempt} />;
  if (state.is === 'starting' && attempt.id !== undefined) return <FlowOpening app={app} onCancel={attempt.forget} />;
  return (
    <Form
      label={`Connect ${app.name}`}
      onSubmit={() => form.check() && flow.begin({ app })}
      fault={form.fault}
      footer={
        <Group justify="flex-end" gap="xs">
          <Button component={Link} to="/integrations/new" variant="default">
            Cancel
          </Button>
          <Button type="submit" loading={state.is === 'starting'}>
            Continue to {app.name}
          </Button>
        </Group>
      }
    >
      <ConnectFields app={app} form={form} />
      <AskedScopes app={app.name} scopes={app.scopes} />
    </Form>
  );
}

interface Attempt {
  /** The id of the integration, once the first flow has begun. */
  id: string | undefined;
  flow: OAuthFlow<FlowSubject>;
  form: ReturnType<typeof useConnectForm>;
  /** Deletes the new integration and returns to the form; if it became connected in the last moment, opens its page. */
  forget: () => void;
}

/** The first flow creates the integration; later ones repeat the flow for it. */
function useAttempt(app: ConnectableApp): Attempt {
  const navigate = useNavigate();
  const opens = useAfterConnect();
  const client = useClient();
  const [id, setId] = useState<string>();
  const first = useAction(ConnectIntegrationDocument, { inForm: true });
  const again = useAction(ReconnectIntegrationDocument);
  const remove = useAction(DeleteIntegrationDocument);
  const form = useConnectForm(app, first.fault);
  const start = async () => {
    const answer =
      id === undefined
        ? (await first.run({ input: { type: app.type, ...form.input() } }))?.connectIntegration
        : (await again.run({ id }))?.reconnectIntegration;
    if (answer?.__typename !== 'IntegrationAuthorization') return undefined;
    setId(answer.integrationId);
    return answer;
  };
  const flow = useOAuthFlow({
    start,
    onConnected: () => {
      notifyDone(`“${form.input().label}” is connected.`);
      if (id !== undefined) void opens(id);
    },
  });
  const forget = async () => {
    flow.leave();
    // The pressed button is gone, so move the focus of screen readers to the heading.
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
    setId(undefined);
    if (id === undefined) return;
    const { data } = await client.query(FlowNewsDocument, { id }, { requestPolicy: 'network-only' });
    if (data?.integration.status === 'CONNECTED') return navigate(`/integrations/${id}`, { replace: true });
    if (data !== undefined) await remove.run({ id });
  };
  return { id, flow, form, forget: () => void forget() };
}

function Ended({
  app,
  reason,
  attempt: { id, flow, forget },
}: {
  app: ConnectableApp;
  reason: string;
  attempt: Attempt;
}) {
  if (isConnected(reason)) return <FlowDone app={app} />;
  const { label, sentence } = reasonInWords(reason);
  const startOver = (
    <Button variant="default" onClick={reason === 'deleted' ? flow.leave : forget}>
      Start over
    </Button>
  );
  // Another user continues this flow: deleting the connection would break it.
  const see = (
    <Button component={Link} to={`/integrations/${id}`} variant="default">
      See the connection
    </Button>
  );
  return (
    <FlowFrame
      app={app}
      look="failed"
      title={label}
      text={sentence(app.name)}
      actions={
        <>
          {reason !== 'deleted' && <Button onClick={() => flow.begin({ app })}>Try again</Button>}
          {reason === 'superseded' ? see : startOver}
        </>
      }
    />
  );
}
