/** Dialog options while a secret is shown: only “Done, I saved it” closes the dialog. */
export const HELD_OPEN = { closeOnEscape: false, withCloseButton: false } as const;
