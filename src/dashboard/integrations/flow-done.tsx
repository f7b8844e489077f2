import { FlowFrame } from './flow-frame.js';

/** The moment between the good end and what comes after it. */
export function FlowDone({ app }: { app: { type: string; name: string } }) {
  return <FlowFrame app={app} look="done" title="Connected" text={`${app.name} has allowed access.`} actions={null} />;
}
