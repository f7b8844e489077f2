import { FlowFrame } from './flow-frame.js';

/** The moment between a further try and its window. */
export function FlowOpening({ app }: { app: { type: string; name: string } }) {
  return <FlowFrame app={app} look="busy" title={`Opening ${app.name}`} text="One moment." actions={null} />;
}
