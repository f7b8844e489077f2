import { type ReactNode, useCallback } from 'react';
import { type BlockerFunction, useBeforeUnload } from 'react-router';
import { ConfirmDialog } from '../dialogs/confirm-dialog.js';
import { hasUnsaved, useUnsaved } from './unsaved.js';
import { useAsGuard, useLeaveBlocker } from './use-leave-blocker.js';

/** The state of a navigation away from a deleted object: no question, because nothing is left to save. */
export const GONE = { isGone: true };

/** Asks before the user leaves unsaved input by a link or closes the tab; at most one per page. */
export function LeaveGuard({ dirty, keptInTab = false, keptBelow, children }: LeaveGuardProps) {
  useUnsaved(dirty);
  const leaves = useCallback<BlockerFunction>(
    ({ nextLocation: { pathname, state } }) =>
      dirty &&
      !keptInTab &&
      (keptBelow === undefined || !`${pathname}/`.startsWith(`${keptBelow}/`)) &&
      (state as Partial<typeof GONE> | null)?.isGone !== true,
    [dirty, keptInTab, keptBelow],
  );
  useAsGuard();
  const blocker = useLeaveBlocker(leaves);
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (dirty && hasUnsaved()) event.preventDefault();
      },
      [dirty],
    ),
  );
  return (
    <ConfirmDialog
      opened={blocker?.state === 'blocked'}
      onClose={() => blocker?.reset?.()}
      title="Leave without saving?"
      confirmLabel="Discard and leave"
      onConfirm={() => blocker?.proceed?.()}
    >
      {children}
    </ConfirmDialog>
  );
}

/**
 * `keptInTab`: the tab keeps the input, so that only closing it asks; `keptBelow`: the path whose pages keep the input; `children` name the input
 * that would be lost.
 */
export interface LeaveGuardProps {
  dirty: boolean;
  keptInTab?: boolean;
  keptBelow?: string;
  children: ReactNode;
}
