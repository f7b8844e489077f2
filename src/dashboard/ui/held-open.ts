/** What a dialog is told while it shows a secret: nothing but “I have stored it” closes it. */
export const HELD_OPEN = { closeOnEscape: false, withCloseButton: false } as const;
