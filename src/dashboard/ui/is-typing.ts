const FIELDS = 'input, textarea, select, [contenteditable], [role=menu]';

/** The class of a dialog that fades away: it no longer counts as open. */
export const CLOSING = 'wg-closing';

let awaited = 0;

/** Whether a key belongs to a field or a menu, and so is no shortcut of the page. */
export function isTyping({ target, isComposing }: KeyboardEvent): boolean {
  return isComposing || (target instanceof HTMLElement && target.closest(FIELDS) !== null);
}

/** Whether a dialog or a drawer is open or about to open: its page has no shortcuts until it closes. */
export function isDialogOpen(): boolean {
  return awaited > 0 || document.querySelector(`[role=dialog][aria-modal]:not(.${CLOSING})`) !== null;
}

/** Counts a dialog as open before its code is there. @returns a function that ends this. */
export function awaitDialog(): () => void {
  awaited += 1;
  return () => {
    awaited -= 1;
  };
}
