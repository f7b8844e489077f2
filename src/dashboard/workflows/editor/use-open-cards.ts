import { useState } from 'react';
import { type DraftAction, faultCount } from './draft-action.js';

/** Which cards show their form. */
export interface OpenCards {
  isOpen: (key: string) => boolean;
  open: (key: string) => void;
  /** Opens each card that has a fault. */
  openFaulty: () => void;
  toggle: (key: string) => void;
}

/** At first, as after a refusal, the open cards are those with faults. */
export function useOpenCards(actions: readonly DraftAction[], refusals: number): OpenCards {
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set(faulty(actions)));
  const [seen, setSeen] = useState(refusals);
  const open = (...more: string[]): void => setKeys((before) => new Set([...before, ...more]));
  if (seen !== refusals) {
    setSeen(refusals);
    open(...faulty(actions));
  }
  const toggle = (key: string): void =>
    setKeys((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    );
  return { isOpen: (key) => keys.has(key), open, openFaulty: () => open(...faulty(actions)), toggle };
}

function faulty(actions: readonly DraftAction[]): string[] {
  return actions.filter((action) => faultCount([action]) > 0).map(({ key }) => key);
}
