import { useState } from 'react';

/** A dialog for one of several items, e.g. rows; the item stays set during the closing animation. */
export interface DialogOf<T> {
  about: T | undefined;
  opened: boolean;
  open: (about: T) => void;
  close: () => void;
}

/** The state of such a dialog; it belongs to the page, so that the dialog stays when its row moves. */
export function useDialogOf<T>(): DialogOf<T> {
  const [{ about, opened }, set] = useState<{ about: T | undefined; opened: boolean }>({
    about: undefined,
    opened: false,
  });
  return {
    about,
    opened,
    open: (next) => set({ about: next, opened: true }),
    close: () => set((before) => ({ ...before, opened: false })),
  };
}
