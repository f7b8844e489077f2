import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect } from 'react';
import { notifyFault } from '../pages/notify.js';

/** Copies a text; `label` says which, e.g. “Copy URL”. */
export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  const { copied, copy, error } = useClipboard({ timeout: 1_500 });
  useEffect(() => {
    if (error !== null) notifyFault({ message: 'The browser does not allow copying here.', requestId: undefined });
  }, [error]);
  return (
    <>
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          size="md"
          aria-label={label}
          onClick={() => copy(value)}
        >
          {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden aria-live="polite">{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  );
}
