import { useEffect, useEffectEvent } from 'react';
import { lazyDialog } from '../ui/dialogs/lazy-dialog.js';
import { useSessionOver } from './session-over.js';

const SessionOverDialog = lazyDialog(async () => (await import('./session-over.dialog.js')).SessionOverDialog);

/**
 * Keeps a page with unsaved changes open after its session has ended. The dialog closes once the user has signed in again
 * in another tab.
 */
export function WhenSessionIsOver() {
  const over = useSessionOver();
  useOnlyDialog(over);
  return <SessionOverDialog opened={over} />;
}

/** Stops Escape, which would also close the dialog below and discard its input: Mantine closes both. */
function useOnlyDialog(over: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (over && event.key === 'Escape') event.stopImmediatePropagation();
  });
  useEffect(() => {
    // Attached at the start, before the listener of any other dialog.
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
