import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode } from 'react';
import { CodeBlock } from './code-block.js';
import { Notice } from './notice.js';

/** A secret at the one moment when it can be seen, with how to copy it; `what` as in “API key”, `children` how to use it. */
export function SecretOnce({ secret, what, onDone, children, doneLabel = 'I have stored it' }: SecretOnceProps) {
  return (
    <Stack gap="md">
      <Notice tone="warn" title="Copy it now">
        This is the only time that the {what} is shown. If it gets lost, only a new one helps.
      </Notice>
      <CodeBlock code={secret} label={what} wrap />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{doneLabel}</Button>
      </Group>
    </Stack>
  );
}

/** What is shown once, and what happens when it is stored. */
export interface SecretOnceProps {
  secret: string;
  what: string;
  onDone: () => void;
  children?: ReactNode;
  doneLabel?: string;
}
