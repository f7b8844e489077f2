import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect } from 'react';
import { notifyFault } from '../pages/notify.js';
import { IconCheck, IconCopy } from '../icons/icons.js';

/** Copies a text; `label` says which, e.g. “Copy URL”. */
export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  const { copied, copy } = useCopy(value);
  return (
    <>
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} size="md" aria-label={label} onClick={copy}>
          {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <Copied now={copied} />
    </>
  );
}

/** Copies a text that is not on the page, with a visible label; `about` distinguishes several such buttons. */
export function LabelledCopyButton({ value, label, about }: { value: string; label: string; about: string }) {
  const { copied, copy } = useCopy(value);
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon size={14} aria-hidden />}
        aria-label={`${label} ${about}`}
        onClick={copy}
      >
        {label}
      </Button>
      <Copied now={copied} />
    </>
  );
}

function Copied({ now }: { now: boolean }) {
  return <VisuallyHidden aria-live="polite">{now ? 'Copied' : ''}</VisuallyHidden>;
}

/** `copied` is true for a moment; a toast reports a browser that does not allow it. */
function useCopy(value: string): { copied: boolean; copy: () => void } {
  const { copied, copy, error } = useClipboard({ timeout: 1_500 });
  useEffect(() => {
    if (error !== null) notifyFault({ message: 'The browser does not allow copying here.', requestId: undefined });
  }, [error]);
  return { copied, copy: () => copy(value) };
}
