import { Button, Group, Stack, Text } from '@mantine/core';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import { ReconnectIntegrationDocument } from './connect.generated.js';
import { FlowFrame } from './flow-frame.js';
import { FlowOpening } from './flow-opening.js';
import { FlowWaiting } from './flow-waiting.js';
import { type ReconnectProps } from './reconnect-props.js';
import { reasonInWords } from './status-reasons.js';
import { useOAuthFlow } from './use-oauth-flow.js';

/** Repeats the flow for the same connection; a connected one stays so until the new access is there. */
export function ReconnectByOAuth({ app, integration: { id, name, status, account }, onClose }: ReconnectProps) {
  const { run } = useAction(ReconnectIntegrationDocument);
  const flow = useOAuthFlow({
    appName: app.name,
    start: async () => {
      const answer = (await run({ id }))?.reconnectIntegration;
      return answer?.__typename === 'IntegrationAuthorization' ? answer : undefined;
    },
    onConnected: () => {
      onClose();
      notifyDone(`“${name}” is connected anew.`);
    },
  });
  const { state } = flow;
  const leave = () => {
    flow.leave();
    onClose();
  };
  if (state.is === 'starting') return <FlowOpening app={app} />;
  if (state.is === 'waiting') return <FlowWaiting app={app} state={state} flow={flow} onCancel={leave} />;
  if (state.is === 'ended') return <Ended app={app} reason={state.reason} again={flow.begin} onClose={onClose} />;
  return (
    <Stack gap="md">
      <Text>
        You go to {app.name} and allow access anew
        {account !== null && (
          <>
            , as <strong>{account.name ?? account.id}</strong>
          </>
        )}
        .{' '}
        {status === 'CONNECTED'
          ? 'Until then the connection goes on as it is.'
          : 'Workflows and triggers stay as they are.'}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={flow.begin} data-autofocus>
          Continue to {app.name}
        </Button>
      </Group>
    </Stack>
  );
}

function Ended({
  app,
  reason,
  again,
  onClose,
}: { again: () => void; reason: string } & Pick<ReconnectProps, 'app' | 'onClose'>) {
  const { label, sentence } = reasonInWords(reason);
  return (
    <FlowFrame
      app={app}
      look="failed"
      title={label}
      text={sentence(app.name)}
      actions={
        <>
          <Button onClick={again}>Try again</Button>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </>
      }
    />
  );
}
