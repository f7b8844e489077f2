import { useState } from 'react';
import { type DraftAction } from './draft-action.js';

/** Which cards show their form. */
export interface OpenCards {
  isOpen: (key: string) => boolean;
  open: (key: string) => void;
  toggle: (key: string) => void;
}

/** All cards are closed at first; a refusal opens those with faults. */
export function useOpenCards(actions: readonly DraftAction[], refusals: number): OpenCards {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(refusals);
  const open = (...more: string[]): void => setKeys((before) => new Set([...before, ...more]));
  if (seen !== refusals) {
    setSeen(refusals);
    open(...actions.filter(({ faults }) => Object.keys(faults).length > 0).map(({ key }) => key));
  }
  const toggle = (key: string): void =>
    setKeys((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    );
  return { isOpen: (key) => keys.has(key), open, toggle };
}
