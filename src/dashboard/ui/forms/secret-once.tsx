import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CodeBlock } from '../values/code-block.js';
import { Notice } from '../pages/notice.js';
import classes from './secret-once.module.css';

/** Shows a secret the only time, with a copy button; `what` is its kind, e.g. “API key”, `children` explain its use. */
export function SecretOnce({ secret, what, onDone, children, doneLabel = 'Done, I saved it' }: SecretOnceProps) {
  const head = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => head.current?.focus(), []);
  return (
    <Stack gap="md">
      <div ref={head} tabIndex={-1} className={classes.head}>
        <Notice tone="warn" title="Copy it now">
          This is the only time that the {what} is shown. If you lose it, create a new one.
        </Notice>
      </div>
      <CodeBlock code={secret} label={what} wrap />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{doneLabel}</Button>
      </Group>
    </Stack>
  );
}

/** The secret, and the callback for the confirmation that the user has stored it. */
export interface SecretOnceProps {
  secret: string;
  what: string;
  onDone: () => void;
  children?: ReactNode;
  doneLabel?: string;
}
