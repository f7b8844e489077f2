import { createContext, use, useLayoutEffect } from 'react';

/** What a `Dialog` learns from its content; each function returns another that ends the state. */
export interface DialogNotes {
  sends: () => () => void;
  typed: () => () => void;
}

const nowhere = () => () => undefined;

/** The dialog around a form; outside of one, e.g. for a form on a page, its functions do nothing. */
export const DialogContext = createContext<DialogNotes>({ sends: nowhere, typed: nowhere });

/** Keeps the dialog open, from the next key on, while a request is in progress. */
export function useSending(isSending: boolean): void {
  const { sends } = use(DialogContext);
  useLayoutEffect(() => (isSending ? sends() : undefined), [isSending, sends]);
}

/** Lets the dialog ask before it discards input. */
export function useTyped(isTyped: boolean): void {
  const { typed } = use(DialogContext);
  useLayoutEffect(() => (isTyped ? typed() : undefined), [isTyped, typed]);
}
