import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { DialogContext } from './dialog-context.js';

/**
 * The frame of a dialog with input. It stays open while a part of it sends (`useSending`): a response that navigates
 * must not come after the dialog. It asks before Escape, Back or the close button discard typed input (`useTyped`).
 */
export function Dialog({ onClose, children, ...rest }: ModalProps) {
  const [sending, setSending] = useState(0);
  const [typed, setTyped] = useState(0);
  const [question, setQuestion] = useState<'none' | 'asked' | 'discarded'>('none');
  const noted = useMemo(() => ({ sends: counts(setSending), typed: counts(setTyped) }), []);
  const close = (): void => {
    if (sending > 0) return;
    // Later, because the pressed Escape would also close the question; at once, so that it notes which element has the focus.
    if (typed > 0) setTimeout(() => flushSync(() => setQuestion('asked')));
    else onClose();
  };
  return (
    <>
      <Modal
        {...rest}
        onClose={close}
        closeOnEscape={question !== 'asked' && rest.closeOnEscape !== false}
        closeButtonProps={{ 'aria-label': 'Close', disabled: sending > 0 }}
      >
        <DialogContext value={noted}>{children}</DialogContext>
      </Modal>
      <Modal
        opened={rest.opened && question === 'asked'}
        onClose={() => setQuestion('none')}
        title="Discard your input?"
        size="sm"
        // The field that would get it disappears.
        returnFocus={question !== 'discarded'}
      >
        <Question
          onKeep={() => setQuestion('none')}
          onDiscard={() => {
            setQuestion('discarded');
            onClose();
          }}
        >
          What you entered is not saved.
        </Question>
      </Modal>
    </>
  );
}

function counts(set: (change: (before: number) => number) => void): () => () => void {
  return () => {
    set((before) => before + 1);
    return () => set((before) => before - 1);
  };
}

function Question({ children, onKeep, onDiscard }: QuestionProps) {
  return (
    <Stack gap="md">
      <div>{children}</div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onKeep} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Stack>
  );
}

interface QuestionProps {
  children: ReactNode;
  onKeep: () => void;
  onDiscard: () => void;
}
