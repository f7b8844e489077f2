import { useCallback } from 'react';
import { type BlockerFunction, useBeforeUnload, useBlocker } from 'react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.js';

/** Asks before unsaved actions are left behind; between the tabs of their workflow they stay. */
export function LeaveGuard({ id, dirty }: { id: string; dirty: boolean }) {
  const leaves = useCallback<BlockerFunction>(
    ({ nextLocation: { pathname, state } }) =>
      dirty &&
      pathname !== `/workflows/${id}` &&
      !pathname.startsWith(`/workflows/${id}/`) &&
      (state as { isGone?: boolean } | null)?.isGone !== true,
    [id, dirty],
  );
  const blocker = useBlocker(leaves);
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (dirty) event.preventDefault();
      },
      [dirty],
    ),
  );
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      confirmLabel="Discard and leave"
      onConfirm={() => blocker.proceed?.()}
    >
      The changes to the actions are not saved. They are lost when you leave.
    </ConfirmDialog>
  );
}
