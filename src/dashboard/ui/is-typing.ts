const FIELDS = 'input, textarea, select, [contenteditable], [role=menu]';

/** Whether a key belongs to a field or a menu, and so is no shortcut of the page. */
export function isTyping({ target, isComposing }: KeyboardEvent): boolean {
  return isComposing || (target instanceof HTMLElement && target.closest(FIELDS) !== null);
}

/** Whether a dialog or a drawer is open: its page has no shortcuts until it closes. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog][aria-modal]') !== null;
}
