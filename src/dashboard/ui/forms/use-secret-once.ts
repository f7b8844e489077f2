import { useState } from 'react';
import { HELD_OPEN } from './held-open.js';

/** A dialog that creates a secret and shows it once. */
export interface SecretDialog<T> {
  /** The created object, until the user has stored the secret and the dialog is closed. */
  made: T | undefined;
  show: (made: T) => void;
  stored: () => void;
  /** For Mantine's `Modal`. */
  modal: { opened: boolean; onClose: () => void; onExitTransitionEnd: () => void } & Partial<typeof HELD_OPEN>;
}

/**
 * Its state: the secret appears even if the user closes the dialog before the response, since it is shown only once.
 */
export function useSecretOnce<T>(opened: boolean, onClose: () => void): SecretDialog<T> {
  const [{ made, isStored }, set] = useState<{ made: T | undefined; isStored: boolean }>(NOTHING);
  return {
    made,
    show: (secret) => set({ made: secret, isStored: false }),
    stored: () => {
      set({ made, isStored: true });
      onClose();
    },
    modal: {
      opened: made === undefined ? opened : !isStored,
      onClose,
      onExitTransitionEnd: () => set(NOTHING),
      ...(made !== undefined && HELD_OPEN),
    },
  };
}

const NOTHING = { made: undefined, isStored: false };
