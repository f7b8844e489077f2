import { useEffect } from 'react';

const holders = new Set<object>();

/** Notes that a component shows what a new load of the page would lose, while it does. */
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
