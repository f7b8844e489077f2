import { Button, Group, Stack } from '@mantine/core';
import { CodeBlock } from './code-block.js';
import { Notice } from './notice.js';

/** A secret at the one moment when it can be seen, with how to copy it; `what` as in “API key”. */
export function SecretOnce({ secret, what, onDone }: { secret: string; what: string; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Notice tone="warn" title="Copy it now">
        This is the only time that the {what} is shown. It is kept in a form that cannot be read again.
      </Notice>
      <CodeBlock code={secret} label={what} wrap />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  );
}
