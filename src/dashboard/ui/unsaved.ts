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

/** Whether anything on screen would be lost by a new load. */
export function hasUnsaved(): boolean {
  return holders.size > 0;
}

/** Gives it up: the load that comes is not asked about. */
export function discardUnsaved(): void {
  holders.clear();
}
