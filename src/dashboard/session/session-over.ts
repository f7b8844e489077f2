import { useSyncExternalStore } from 'react';

let over = false;
const listeners = new Set<() => void>();

/**
 * Called when the session has ended but the page stays because of unsaved changes; and when there is a session again.
 */
export function noteSessionOver(value: boolean): void {
  over = value;
  for (const listener of listeners) listener();
}

/** Whether the page waits for its session. */
export function useSessionOver(): boolean {
  return useSyncExternalStore(subscribe, () => over);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
