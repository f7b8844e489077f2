import { Button } from '@mantine/core';
import { FlowFrame } from './flow-frame.js';

/** The moment between the click and what stands in the window. */
export function FlowOpening({ app, onCancel }: { app: { type: string; name: string }; onCancel: () => void }) {
  return (
    <FlowFrame
      app={app}
      look="busy"
      title={`Opening ${app.name}`}
      text="One moment."
      actions={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    />
  );
}
