/** Dialog options while a secret is shown: only “I have stored it” closes the dialog. */
export const HELD_OPEN = { closeOnEscape: false, withCloseButton: false } as const;
