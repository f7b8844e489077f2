import { Button } from '@mantine/core';
import { FlowFrame } from './flow-frame.js';

/** Shown between the click and the application's page in the window. */
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
