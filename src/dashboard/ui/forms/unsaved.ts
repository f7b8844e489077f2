import { useEffect } from 'react';

const holders = new Set<object>();

/** Registers a component as having unsaved input, which a reload of the page would lose. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const holder = {};
    holders.add(holder);
    return () => void holders.delete(holder);
  }, [dirty]);
}

/** Whether a reload would lose unsaved input. */
export function hasUnsaved(): boolean {
  return holders.size > 0;
}

/** Discards the unsaved input, so that the following page load needs no confirmation. */
export function discardUnsaved(): void {
  holders.clear();
}
