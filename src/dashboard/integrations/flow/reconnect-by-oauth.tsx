import { Button } from '@mantine/core';
import { FlowDone } from './flow-done.js';
import { isConnected } from './flow-end.js';
import { FlowFrame } from './flow-frame.js';
import { FlowOpening } from './flow-opening.js';
import { FlowWaiting } from './flow-waiting.js';
import { type Reconnectable, type Reconnecting } from '../reconnectable.js';
import { reasonInWords } from '../status-reasons.js';
import { type OAuthFlow } from './use-oauth-flow.js';

/** The flow for an existing connection, which stays connected until the new tokens are stored. */
export function ReconnectByOAuth({ app, integration, flow, onClose }: ReconnectByOAuthProps) {
  const { state } = flow;
  switch (state.is) {
    case 'idle':
      return null;
    case 'starting':
      return <FlowOpening app={app} onCancel={onClose} />;
    case 'waiting':
      return <FlowWaiting app={app} state={state} flow={flow} note={<Note {...integration} />} onCancel={onClose} />;
    case 'ended':
      if (isConnected(state.reason)) return <FlowDone app={app} />;
      return <Ended app={app} reason={state.reason} again={() => flow.begin({ app, integration })} onClose={onClose} />;
  }
}

function Note({ account, status }: Reconnectable) {
  if (account === null && status !== 'CONNECTED') return null;
  return (
    <p>
      {account !== null && (
        <>
          The connection belongs to <strong>{account.name ?? account.externalId}</strong>: sign in as that account.{' '}
        </>
      )}
      {status === 'CONNECTED' && 'Until then the connection stays as it is.'}
    </p>
  );
}

function Ended({ app, reason, again, onClose }: EndedProps) {
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

/** `onClose` gives the attempt up too. */
export interface ReconnectByOAuthProps extends Reconnecting {
  flow: OAuthFlow<Reconnecting>;
  onClose: () => void;
}

interface EndedProps extends Pick<ReconnectByOAuthProps, 'app' | 'onClose'> {
  reason: string;
  again: () => void;
}
