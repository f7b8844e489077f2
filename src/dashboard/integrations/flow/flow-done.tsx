import { FlowFrame } from './flow-frame.js';

/** Shown between the success of a flow and the next page. */
export function FlowDone({ app }: { app: { type: string; name: string } }) {
  return <FlowFrame app={app} look="done" title="Connected" text={`${app.name} granted access.`} actions={null} />;
}
