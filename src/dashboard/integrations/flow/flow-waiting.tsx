import { Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { useConnectionState } from '../../graphql/connection-state.js';
import { Notice } from '../../ui/pages/notice.js';
import { FlowFrame } from './flow-frame.js';
import classes from './flow.module.css';
import { type FlowState, type OAuthFlow } from './use-oauth-flow.js';
import { IconExternalLink } from '../../ui/icons/icons.js';

type Waiting = Extract<FlowState, { is: 'waiting' }>;

/**
 * Shown while the user grants access in the other window: what to do there, and what to do if that window is missing.
 */
export function FlowWaiting({ app, state, flow, note, onCancel }: FlowWaitingProps) {
  const { title, text } = WORDS[state.sees];
  return (
    <FlowFrame
      app={app}
      look="busy"
      title={title}
      text={text(app.name)}
      aside={
        <>
          {note}
          <p className={classes.until}>The request expires at {time.format(state.until)}.</p>
          <LineLost />
        </>
      }
      actions={
        <>
          <WayOn app={app.name} state={state} flow={flow} />
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </>
      }
    />
  );
}

function WayOn({ app, state, flow }: { app: string } & Pick<FlowWaitingProps, 'state' | 'flow'>) {
  switch (state.sees) {
    case 'open':
      return <Button onClick={flow.show}>Bring the window to the front</Button>;
    case 'closed':
      return <Button onClick={flow.openAgain}>Open it again</Button>;
    case 'blocked':
      return (
        <Button
          component="a"
          href={state.address}
          target="_blank"
          // Not `noopener`: the callback page sends a message to this page.
          rel="opener"
          rightSection={<IconExternalLink size={15} aria-hidden />}
        >
          Open {app}
        </Button>
      );
  }
}

function LineLost() {
  if (useConnectionState() === 'online') return null;
  return (
    <div className={classes.lost}>
      <Notice tone="warn">
        This page has lost its connection. Continue in the window: this page updates as soon as it is back online.
      </Notice>
    </div>
  );
}

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const WORDS: Readonly<Record<Waiting['sees'], { title: string; text: (app: string) => string }>> = {
  open: {
    title: 'Continue in the window that opened',
    text: (app) => `Sign in to ${app} there and allow access. This page updates when you are done.`,
  },
  closed: {
    title: 'The window is closed',
    text: () => 'If you have answered there, this page updates in a moment. If not, open it again.',
  },
  blocked: {
    title: 'Your browser blocked the window',
    text: (app) => `Open ${app} yourself and allow access there. This page updates when you are done.`,
  },
};

/** `note` stands below the text; `onCancel` gives the attempt up. */
export interface FlowWaitingProps {
  app: { type: string; name: string };
  state: Waiting;
  flow: Pick<OAuthFlow<never>, 'show' | 'openAgain'>;
  note?: ReactNode;
  onCancel: () => void;
}
