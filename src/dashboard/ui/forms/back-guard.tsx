import { useCallback } from 'react';
import { useBeforeUnload } from 'react-router';
import { hasUnsaved } from './unsaved.js';
import { openDialog, useIsGuarded, useLeaveBlocker } from './use-leave-blocker.js';

/** Lets Back close an open dialog or drawer, on every page; belongs to the frame. */
export function BackGuard() {
  const isGuarded = useIsGuarded();
  // Back may also lead out of the dashboard: then only the browser can ask.
  useBeforeUnload(
    useCallback((event: BeforeUnloadEvent) => {
      if (openDialog() !== undefined && hasUnsaved()) event.preventDefault();
    }, []),
  );
  return isGuarded ? null : <Blocks />;
}

function Blocks() {
  useLeaveBlocker(never);
  return null;
}

function never(): boolean {
  return false;
}
