import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type Blocker, type BlockerFunction, type Location, NavigationType, useBlocker } from 'react-router';

let guards = 0;
const listeners = new Set<() => void>();
/** Where the last Back that closed a dialog would have led. */
let refused: Location | undefined;

/**
 * Blocks a navigation for which `leaves` is true. Back and Forward close an open dialog or drawer instead of leaving
 * its page. The router asks only one blocker, so both are in this one. @returns the blocker; not that of a dialog.
 */
export function useLeaveBlocker(leaves: BlockerFunction): Blocker | undefined {
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      (move) => (move.historyAction === NavigationType.Pop && closes(move)) || leaves(move),
      [leaves],
    ),
  );
  const isOfDialog = blocker.state === 'blocked' && blocker.location === refused;
  useEffect(() => {
    if (isOfDialog) blocker.reset();
  }, [isOfDialog, blocker]);
  return isOfDialog ? undefined : blocker;
}

/** Tells that a component of the page blocks navigation, so that the frame does not. */
export function useAsGuard(): void {
  useEffect(() => {
    change(1);
    return () => change(-1);
  }, []);
}

/** Whether a component of the page blocks navigation. */
export function useIsGuarded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => guards > 0,
  );
}

/** The dialog or drawer that is on top, unless the URL names it: then Back closes it by itself. */
export function openDialog(): Element | undefined {
  const open = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
  return open?.closest('[data-in-url]') == null ? open : undefined;
}

/** Closes it as Escape does, so that one which Escape does not close, e.g. with a secret, stays. */
function closes({ nextLocation }: Parameters<BlockerFunction>[0]): boolean {
  const open = openDialog();
  if (open === undefined) return false;
  refused = nextLocation;
  open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}

function change(by: number): void {
  guards += by;
  for (const listener of listeners) listener();
}
